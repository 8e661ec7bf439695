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

  /// Writes text in an element or an attribute.
  private mutating func characters(_ text: String) {
    for byte in Self.allowed(text).utf8 {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "\""): append("&quot;")
      // A reader would turn the carriage return of a card's line into a line feed.
      case 0x0D: append("&#13;")
      case 0x09, 0x0A, 0x20...: self.text.append(byte)
      default: break
      }
    }
  }

  /// Returns the text without the two characters of Unicode that XML does not allow, besides the control characters.
  private static func allowed(_ text: String) -> String {
    let forbidden: Set<Unicode.Scalar> = ["\u{FFFE}", "\u{FFFF}"]
    guard text.unicodeScalars.contains(where: forbidden.contains) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !forbidden.contains($0) }))
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
