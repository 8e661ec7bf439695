// Escapes in values and parameters. `\n` is a line break; `\,` `\;` `\:` `\\` are the second character. Any
// other backslash is literal, because many files contain unescaped ones, such as Windows paths.

/// Conversion between values and texts.
package enum CardText {
  /// Returns the text of an escaped value.
  package static func unescaped(_ value: some StringProtocol) -> String {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return String(value) }
    var result: [UInt8] = []
    var bytes = value.utf8.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      switch bytes.next() {
      case UInt8(ascii: "n"), UInt8(ascii: "N"): result.append(UInt8(ascii: "\n"))
      case .some(let next) where ",;:\\".utf8.contains(next): result.append(next)
      case .some(let next): result += [byte, next]
      case nil: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the escaped value of a text.
  package static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { ",;\\\n\r".utf8.contains($0) }) else { return text }
    var result: [UInt8] = []
    for byte in withUnixLineEnds(text).utf8 {
      switch byte {
      case UInt8(ascii: "\n"): result += Array("\\n".utf8)
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"):
        result += [UInt8(ascii: "\\"), byte]
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the parts of `value` between unescaped separators, still escaped.
  package static func pieces(_ value: some StringProtocol, at separator: UInt8) -> [String] {
    guard value.utf8.contains(separator) else { return [String(value)] }
    var pieces: [String] = []
    var piece: [UInt8] = []
    var isEscaped = false
    for byte in value.utf8 {
      if byte == separator, !isEscaped {
        pieces.append(String(decoding: piece, as: UTF8.self))
        piece = []
      } else {
        piece.append(byte)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return pieces + [String(decoding: piece, as: UTF8.self)]
  }

  /// Returns `text` with line breaks as `\n`, because a value is one line.
  static func withoutLineEnds(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
    else { return text }
    return withUnixLineEnds(text).split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\\n")
  }

  static func withUnixLineEnds(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\r")) else { return text }
    var result = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\n", isAfterReturn {
        isAfterReturn = false
        continue
      }
      isAfterReturn = scalar == "\r"
      result.append(isAfterReturn ? "\n" : scalar)
    }
    return String(result)
  }

  // MARK: Parameters

  /// Returns a parameter's value without the caret escapes of RFC 6868.
  static func withoutCarets(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "^")) else { return text }
    var result = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "^" else {
        result.append(scalar)
        continue
      }
      switch scalars.next() {
      case "n": result.append("\n")
      case "'": result.append("\"")
      case "^": result.append("^")
      case .some(let next): result.append(contentsOf: [scalar, next])
      case nil: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns `text` without control characters except tabs and line breaks. Parameters must not contain them,
  /// and other programs may fail on them.
  static func withoutControls(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
    let kept = text.unicodeScalars.filter {
      !("\u{0}"..."\u{8}").contains($0) && !("\u{B}"..."\u{1F}").contains($0) && $0 != "\u{7F}"
    }
    return String(String.UnicodeScalarView(kept))
  }

  /// Returns a parameter's value in its written form: with carets where needed, and in quotes if it contains
  /// a separator.
  static func parameterValue(_ text: String) -> String {
    var result = ""
    for scalar in withoutControls(withUnixLineEnds(text)).unicodeScalars {
      switch scalar {
      case "^": result += "^^"
      case "\"": result += "^'"
      case "\n": result += "^n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    // Readers that do not know carets take them for a part of the text, or refuse them without quotes.
    return result.utf8.contains { ":;,^".utf8.contains($0) } ? "\"\(result)\"" : result
  }

  /// Returns parameters in their written form, without the leading semicolon.
  package static func text(of parameters: [CardParameter]) -> String {
    parameters.map { parameter in
      "\(parameter.name)=\(parameter.values.map(parameterValue).joined(separator: ","))"
    }.joined(separator: ";")
  }

  /// Parses written parameters.
  package static func parameters(of text: String) -> [CardParameter] {
    PropertyParser.parameters(ArraySlice(text.utf8))
  }
}
