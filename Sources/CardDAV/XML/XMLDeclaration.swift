// Which encoding a document has. Foundation's parser decodes whatever encoding a document names or looks like, and what it
// finds then was seen by no check before it: a document type in UTF-7, for example. So only UTF-8 reaches it, without a
// declaration that could name another encoding.

/// The declaration at the beginning of a document (XML 1.0, section 2.8).
enum XMLDeclaration {
  private static let begin = Array("<?xml".utf8)
  private static let end = Array("?>".utf8)
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// One that names version, encoding and `standalone` has about 60 bytes.
  private static let bytesMaximum = 256
  /// US-ASCII is a part of UTF-8.
  private static let encodings = ["utf-8", "utf8", "us-ascii", "ascii"]

  /// Returns what follows the byte order mark and the declaration.
  /// - Throws: 415 if the document has another encoding than UTF-8, 400 if the declaration has no end.
  static func removed(from document: some Collection<UInt8>) throws(DAVError) -> ArraySlice<UInt8> {
    var rest = Array(document)[...]
    // UTF-16 and UTF-32 have zero bytes in every markup.
    guard !rest.contains(0), String(validating: rest, as: UTF8.self) != nil else {
      throw refusal
    }
    if rest.starts(with: byteOrderMark) { rest = rest.dropFirst(byteOrderMark.count) }
    guard rest.starts(with: begin), isBlank(rest.dropFirst(begin.count).first) else { return rest }
    let text = rest.dropFirst(begin.count).prefix(bytesMaximum)
    guard let close = text.indices.first(where: { text[$0...].starts(with: end) }) else {
      throw DAVError(.badRequest, "The XML declaration has no end.")
    }
    if let encoding = encoding(in: String(decoding: text[..<close], as: UTF8.self)),
      !encodings.contains(encoding.lowercased())
    {
      throw refusal
    }
    return rest[(close + end.count)...]
  }

  private static let refusal = DAVError(
    .unsupportedMediaType, "The XML document is not UTF-8. Send it in UTF-8.")

  private static func isBlank(_ byte: UInt8?) -> Bool {
    byte.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? false
  }

  /// Returns the value of `encoding` in a declaration; empty if it has no value.
  private static func encoding(in declaration: String) -> String? {
    guard let name = declaration.firstRange(of: "encoding") else { return nil }
    let value = declaration[name.upperBound...].drop { $0 != "\"" && $0 != "'" }
    guard let quote = value.first else { return "" }
    return String(value.dropFirst().prefix { $0 != quote })
  }
}
