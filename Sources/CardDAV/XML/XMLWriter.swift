// Writes the documents of responses. All namespaces are declared at the root, and characters that XML cannot contain
// are left out, so that no value of a contact makes a document unreadable.

/// A document that is being written.
package struct XMLWriter: Sendable {
  private var text: [UInt8] = []
  private var open: [String] = []

  /// Creates an empty document.
  package init() { append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n") }

  /// The bytes of the document. All elements must be closed.
  package var bytes: [UInt8] {
    precondition(open.isEmpty, "An XML document has an element that was not closed.")
    return text
  }

  /// The number of bytes that were written and not taken.
  package var count: Int { text.count }

  /// Removes the bytes that were written so far and returns them, so that a long document can be sent in parts.
  package mutating func takeBytes() -> [UInt8] {
    defer { text.removeAll(keepingCapacity: true) }
    return text
  }

  /// Begins an element.
  package mutating func open(_ name: XMLName, attributes: [(String, String)] = []) {
    let tag = begin(name, attributes: attributes)
    append(">")
    open.append(tag)
  }

  /// Ends the element that was begun last.
  package mutating func close() {
    precondition(!open.isEmpty, "An XML document has no element to close.")
    append("</\(open.removeLast())>")
  }

  /// Writes an element with a text, or an empty one.
  package mutating func element(_ name: XMLName, text: String = "") {
    if text.isEmpty {
      _ = begin(name)
      append("/>")
    } else {
      open(name)
      characters(text)
      close()
    }
  }

  /// Writes an element with everything in it.
  package mutating func write(_ tree: XMLTree) {
    guard !tree.children.isEmpty || !tree.attributes.isEmpty else {
      return element(tree.name, text: tree.text)
    }
    open(
      tree.name, attributes: tree.attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    characters(tree.text)
    for child in tree.children { write(child) }
    close()
  }

  /// Writes text in an element or an attribute. Cards are long, so bytes without a meaning in XML are copied together.
  private mutating func characters(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      var place = 0
      while place < bytes.count {
        guard let (replacement, count) = Self.replacement(at: place, in: bytes) else {
          place += 1
          continue
        }
        self.text += bytes[start..<place]
        self.text.append(contentsOf: replacement.utf8)
        place += count
        start = place
      }
      self.text += bytes[start...]
    }
  }

  /// Returns what is written in place of the character at `place`, and its length; `nil` if it is written as it is.
  private static func replacement(
    at place: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (String, Int)? {
    switch bytes[place] {
    case UInt8(ascii: "&"): ("&amp;", 1)
    case UInt8(ascii: "<"): ("&lt;", 1)
    case UInt8(ascii: ">"): ("&gt;", 1)
    case UInt8(ascii: "\""): ("&quot;", 1)
    // A reader would turn the carriage return of a card's line into a line feed.
    case 0x0D: ("&#13;", 1)
    case 0x09, 0x0A: nil
    // XML does not allow other control characters, nor U+FFFE and U+FFFF.
    case ..<0x20: ("", 1)
    case 0xEF where place + 2 < bytes.count && bytes[place + 1] == 0xBF && bytes[place + 2] >= 0xBE:
      ("", 3)
    default: nil
    }
  }

  private mutating func begin(_ name: XMLName, attributes: [(String, String)] = []) -> String {
    let prefix = XMLName.Namespace.prefixes.first { $0.0 == name.namespace }?.1
    let tag = prefix.map { "\($0):\(name.local)" } ?? name.local
    append("<\(tag)")
    if open.isEmpty {
      for (namespace, prefix) in XMLName.Namespace.prefixes {
        append(" xmlns:\(prefix)=\"\(namespace)\"")
      }
    }
    // A client's own property: its namespace is declared where it is used.
    if prefix == nil { attribute("xmlns", name.namespace) }
    for (name, value) in attributes { attribute(name, value) }
    return tag
  }

  private mutating func attribute(_ name: String, _ value: String) {
    append(" \(name)=\"")
    characters(value)
    append("\"")
  }

  private mutating func append(_ string: String) { text.append(contentsOf: string.utf8) }
}
