// Cards that every program can read. The reader here accepts much that others do not: types without a name as in 2.1, base-64
// without its parameter, lines that are no property. Programs show such a card as an empty one, or lose a part of it when they
// save it.

import Contacts

/// Checks the bytes of a card.
package enum StrictCards {
  /// Whether the bytes are one card of 3.0 or 4.0 by the syntax of RFC 2426 or RFC 6350, without what programs are known to
  /// read wrongly.
  package static func isStrict(_ bytes: [UInt8]) -> Bool {
    guard var lines = lines(of: bytes) else { return false }
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count > 2, lines.removeFirst().isSame("BEGIN:VCARD"),
      lines.removeLast().isSame("END:VCARD")
    else { return false }
    let versions = lines.filter { $0.prefix(8).isSame("VERSION:") }
    guard versions.count == 1, let version = versions.first?.dropFirst(8),
      version.elementsEqual("3.0".utf8) || version.elementsEqual("4.0".utf8)
    else { return false }
    return lines.allSatisfy { isProperty($0[...], isFour: version.first == UInt8(ascii: "4")) }
  }

  /// Returns the unfolded lines; `nil` if a line ends otherwise than in LF or CR LF.
  private static func lines(of bytes: [UInt8]) -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    for piece in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let line = piece.last == UInt8(ascii: "\r") ? piece.dropLast() : piece
      guard !line.contains(UInt8(ascii: "\r")) else { return nil }
      if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
        guard !lines.isEmpty else { return nil }
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(Array(line))
      }
    }
    return lines
  }

  /// Whether a line is `group.NAME;PARAMETER=value:value`.
  private static func isProperty(_ line: ArraySlice<UInt8>, isFour: Bool) -> Bool {
    var rest = line
    guard let name = takeWord(&rest) else { return false }
    var last = name
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard let own = takeWord(&rest) else { return false }
      last = own
    }
    while rest.first == UInt8(ascii: ";") {
      rest.removeFirst()
      guard let parameter = takeWord(&rest), rest.popFirst() == UInt8(ascii: "="),
        let value = takeValues(&rest)
      else { return false }
      if parameter.isSame("ENCODING"), isFour || !value.isSame("B") { return false }
    }
    guard rest.popFirst() == UInt8(ascii: ":"), !last.isSame("BEGIN"), !last.isSame("END") else {
      return false
    }
    return isValue(rest)
  }

  /// Some programs read `\:` as a backslash and a colon, and a backslash in a `data:` URI as a part of it.
  private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
    if value.prefix(5).isSame("data:") { return !value.contains(UInt8(ascii: "\\")) }
    var isEscaped = false
    for byte in value {
      if isEscaped, byte == UInt8(ascii: ":") { return false }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return true
  }

  private static func takeWord(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let word = rest.prefix(while: PropertyParser.isWord)
    rest = rest[word.endIndex...]
    return word.isEmpty ? nil : word
  }

  /// Takes the values of a parameter, in quotes or without a separator, and returns the last one.
  private static func takeValues(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    while true {
      var value: ArraySlice<UInt8>
      if rest.first == UInt8(ascii: "\"") {
        rest.removeFirst()
        value = rest.prefix { $0 != UInt8(ascii: "\"") }
        rest = rest[value.endIndex...]
        guard rest.popFirst() != nil else { return nil }
      } else {
        value = rest.prefix { !"\";:,".utf8.contains($0) }
        rest = rest[value.endIndex...]
      }
      guard rest.first == UInt8(ascii: ",") else { return value }
      rest.removeFirst()
    }
  }
}

extension Collection<UInt8> {
  /// Whether the bytes are `text`, in any case.
  fileprivate func isSame(_ text: String) -> Bool {
    count == text.utf8.count
      && zip(self, text.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}
