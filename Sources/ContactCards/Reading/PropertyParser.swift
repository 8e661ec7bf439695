// Parses an unfolded line into a property: `group.NAME;PARAMETER=value,"quoted";BARE:value`. Versions differ
// little: 2.1 has types without a parameter name, 4.0 escapes line breaks and quotes in parameters with a
// caret. Lines that are no property are distinguished from merely unusual ones.

import ByteCounts
import Contacts

enum PropertyParser {
  /// The maximum length of a name and of a group. A written line ends after 75 octets. The character after
  /// the name or group shows that the line is not base-64, which some programs continue without a blank.
  static let nameBytesMax = 64
  /// How much of the parameters is read. Each parameter takes a hundred times its size in memory.
  static let parametersBytesMax = 64 << 10

  /// Parses a property; returns also what is unusual about it. Returns `nil` if `bytes` are no property.
  static func property(
    _ bytes: [UInt8], line: Int
  ) -> (property: CardProperty, oddities: [String])? {
    guard let header = header(bytes) else { return nil }
    var property = CardProperty(line: line, group: header.group, name: header.name)
    property.parameters = parameters(bytes[header.parameters])
    let encoding = encoding(of: property.parameters)
    let charset = property.value(of: "CHARSET")
    var oddities: [String] = []
    if header.parameters.count > parametersBytesMax {
      oddities.append(
        "its parameters are longer than \(ByteCount(parametersBytesMax).limit); the rest is left out"
      )
    }
    if encoding.isSame(as: "QUOTED-PRINTABLE") {
      property.take("ENCODING")
      property.take("CHARSET")
      let decoded = TextDecoder.decode(
        QuotedPrintable.decode(bytes[header.value]), charset: charset)
      property.value = CardText.withoutLineEnds(decoded.text)
      if let oddity = decoded.oddity { oddities.append(oddity) }
    } else if encoding.isSame(as: "B") || encoding.isSame(as: "BASE64") {
      readBase64(bytes[header.value], into: &property)
    } else {
      if ["8BIT", "7BIT"].contains(where: { encoding.isSame(as: $0) }) {
        property.take("ENCODING")
      }
      property.take("CHARSET")
      let decoded = TextDecoder.decode(bytes[header.value], charset: charset)
      property.value = CardText.withoutLineEnds(decoded.text)
      if let oddity = decoded.oddity { oddities.append(oddity) }
    }
    return (property, oddities)
  }

  /// Returns the encoding of a line's value, if there is one before its colon.
  static func encoding(of bytes: [UInt8]) -> String {
    guard let header = header(bytes), !header.parameters.isEmpty else { return "" }
    return encoding(of: parameters(bytes[header.parameters]))
  }

  /// Whether the value of a line is a `data:` URI in base-64.
  static func hasDataAddress(_ bytes: [UInt8]) -> Bool {
    guard let header = header(bytes) else { return false }
    // The media type is before the comma.
    let head = bytes[header.value].prefix(256).prefix { $0 != UInt8(ascii: ",") }
    let text = String(decoding: head, as: UTF8.self).lowercased()
    return text.hasPrefix("data:") && text.replacing("\\", with: "").hasSuffix(";base64")
  }

  /// Returns the first encoding that is known; some programs name several.
  private static func encoding(of parameters: [CardParameter]) -> String {
    let known = ["QUOTED-PRINTABLE", "B", "BASE64", "8BIT", "7BIT"]
    return parameters.lazy.filter { $0.name.isSame(as: "ENCODING") }.flatMap(\.values)
      .first { value in known.contains { value.isSame(as: $0) } } ?? ""
  }

  private static func readBase64(
    _ bytes: ArraySlice<UInt8>, into property: inout CardProperty
  ) {
    property.value = TextDecoder.decode(bytes.filter { !$0.isBlank }, charset: nil).text
    guard CardMedia.names.contains(property.key) else { return }
    // NB: Several programs mark the URI of a picture as base-64.
    guard let content = Base64.decode(property.value.utf8) else { return }
    for parameter in ["ENCODING", "CHARSET", "VALUE"] { property.take(parameter) }
    property.value = ""
    property.content = .inline(content)
  }

  // MARK: What stands before the value

  private struct Header {
    let group: String
    let name: String
    let parameters: Range<Int>
    let value: Range<Int>
  }

  private static func header(_ bytes: [UInt8]) -> Header? {
    guard
      let nameEnd = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }),
      let colon = bytes[nameEnd] == UInt8(ascii: ":")
        ? nameEnd : parametersEnd(bytes, from: nameEnd + 1)
    else { return nil }
    var name = bytes[..<nameEnd].drop(while: \.isBlank)
    while name.last?.isBlank == true { name.removeLast() }
    var group: ArraySlice<UInt8> = []
    if let point = name.lastIndex(of: UInt8(ascii: ".")) {
      group = name[..<point]
      name = name[(point + 1)...]
    }
    guard isName(name), group.count <= nameBytesMax,
      group.allSatisfy({ isWord($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Header(
      group: String(decoding: group, as: UTF8.self), name: String(decoding: name, as: UTF8.self),
      parameters: min(nameEnd + 1, colon)..<colon, value: (colon + 1)..<bytes.count)
  }

  /// Returns the colon that ends the parameters. A quote without a closing quote is literal.
  private static func parametersEnd(_ bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: ":") { return index }
      if bytes[index] == UInt8(ascii: "\""), let close = closing(bytes[...], after: index) {
        index = close
      }
      index += 1
    }
    return nil
  }

  private static func closing(_ bytes: ArraySlice<UInt8>, after quote: Int) -> Int? {
    bytes[(quote + 1)...].firstIndex(of: UInt8(ascii: "\""))
  }

  /// Letters, digits and hyphens. Some exporters put a blank into names of their own.
  private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    guard !name.isEmpty, name.count <= nameBytesMax else { return false }
    let isOwn =
      name.first?.asciiLowercased == UInt8(ascii: "x")
      && name.dropFirst().first == UInt8(ascii: "-")
    return name.allSatisfy { isWord($0) || (isOwn && $0 == UInt8(ascii: " ")) }
  }

  /// Whether a name may contain a byte.
  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  // MARK: Parameters

  /// Parses the parameters in `bytes`, possibly none, as far as they are read.
  static func parameters(_ bytes: ArraySlice<UInt8>) -> [CardParameter] {
    guard !bytes.isEmpty else { return [] }
    return split(bytes.prefix(parametersBytesMax), at: UInt8(ascii: ";")).compactMap { piece in
      if piece.contains(UInt8(ascii: "(")), let type = encodedType(text(piece)) {
        return CardParameter("TYPE", [type])
      }
      let name = piece.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\"") }
      guard name.endIndex < piece.endIndex, piece[name.endIndex] == UInt8(ascii: "=") else {
        return bare(text(piece))
      }
      var values = split(piece[(name.endIndex + 1)...], at: UInt8(ascii: ",")).map(unquoted)
      // Characters that a name cannot contain could not be written again.
      let nameText = String(decoding: name.filter(isWord), as: UTF8.self)
      // The standard's own examples put a list of types into one pair of quotes.
      if nameText.isSame(as: "TYPE") {
        values = values.flatMap { $0.split(separator: ",").map { String($0) } }.map { value in
          // Some programs escape the commas of a list.
          value.last == "\\" ? String(value.dropLast()) : value
        }
      }
      return nameText.isEmpty ? nil : CardParameter(nameText, values)
    }
  }

  /// Returns a type `X-CUSTOM(…)`, with or without the name of the parameter; its commas and equals signs are its own.
  private static func encodedType(_ text: String) -> String? {
    let type = text.prefix(5).isSame(as: "TYPE=") ? String(text.dropFirst(5)) : text
    return EntryLabel.isEncoded(type) ? type : nil
  }

  /// Returns the parameter for a word without a name, as in version 2.1.
  private static func bare(_ word: String) -> CardParameter? {
    let trimmed = word.filter { $0 != " " && $0 != "\t" }
    guard !trimmed.isEmpty else { return nil }
    let encodings = ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"]
    if encodings.contains(where: { trimmed.isSame(as: $0) }) {
      return CardParameter("ENCODING", [trimmed])
    }
    if ["INLINE", "URL", "URI", "CID", "CONTENT-ID"].contains(where: { trimmed.isSame(as: $0) }) {
      return CardParameter("VALUE", [trimmed])
    }
    return CardParameter("TYPE", trimmed.split(separator: ",").map { String($0) })
  }

  private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>]
  {
    var pieces: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      if bytes[index] == separator {
        pieces.append(bytes[start..<index])
        start = index + 1
      } else if bytes[index] == UInt8(ascii: "\""), let close = closing(bytes, after: index) {
        index = close
      }
      index += 1
    }
    pieces.append(bytes[start...])
    return pieces
  }

  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    var inner = bytes
    if inner.count >= 2, inner.first == UInt8(ascii: "\""), inner.last == UInt8(ascii: "\"") {
      inner = inner.dropFirst().dropLast()
    }
    return CardText.withoutCarets(text(inner))
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    CardText.withoutControls(TextDecoder.decode(bytes, charset: nil).text)
  }
}
