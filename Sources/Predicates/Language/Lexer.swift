// Splits the text of a predicate into tokens, one at a time. Errors name the column, in characters from 1,
// which is computed only for an error.

import Records

/// A tokenizer of a predicate's text.
struct Lexer {
  /// The text, as valid UTF-8.
  let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the next token. After the last one, every call returns `.end`.
  mutating func next() throws(RecordsError) -> Token {
    while index < bytes.count, isBlank(bytes[index]) { index += 1 }
    guard index < bytes.count else {
      return Token(kind: .end, range: bytes.count..<bytes.count)
    }
    let start = index
    let kind = try kind(at: bytes[index])
    var token = Token(kind: kind, range: start..<index)
    if case .word = kind { token.keyword = Keyword(bytes[start..<index]) }
    return token
  }

  /// Whether an opening parenthesis follows the last token.
  var isBeforeParenthesis: Bool {
    var next = index
    while next < bytes.count, isBlank(bytes[next]) { next += 1 }
    return next < bytes.count && bytes[next] == UInt8(ascii: "(")
  }

  /// Returns the text of a token.
  func text(of token: Token) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  /// Returns an error with the column of the byte at `offset`.
  func error(_ message: String, hint: String = "", at offset: Int) -> RecordsError {
    let column = String(decoding: bytes[..<min(offset, bytes.count)], as: UTF8.self).count + 1
    return RecordsError(
      .invalidArguments, "Column \(column): \(message)", hint: hint, column: column)
  }

  private mutating func kind(at byte: UInt8) throws(RecordsError) -> Token.Kind {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .text(try quoted(until: byte))
    case _ where isDigit(byte), UInt8(ascii: "-") where isDigit(peek(1)):
      return try number()
    case _ where isLetter(byte), UInt8(ascii: "_"): return word()
    case UInt8(ascii: "#") where isLetter(peek(1)):
      index += 1
      skipWord()
      return .escapedWord
    case UInt8(ascii: "%"): return try argument()
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: "."):
      index += 1
      return .sign(byte)
    default:
      if let kind = sign(byte) { return kind }
      let rest = String(decoding: bytes[index...], as: UTF8.self)
      let shown = rest.first.map(String.init) ?? ""
      throw error("“\(shown)” cannot be used in a predicate.", at: index)
    }
  }

  private mutating func word() -> Token.Kind {
    let start = index
    skipWord()
    guard peek(0) == UInt8(ascii: ":"),
      bytes[start...].starts(with: "distanceToLocation:fromLocation:".utf8)
    else { return .word }
    index = start + "distanceToLocation:fromLocation:".utf8.count
    return .distanceFunction
  }

  private mutating func skipWord() {
    while isLetter(peek(0)) || isDigit(peek(0)) || peek(0) == UInt8(ascii: "_") { index += 1 }
  }

  private mutating func sign(_ byte: UInt8) -> Token.Kind? {
    let pair = peek(1)
    let kind: (Token.Kind, length: Int)? =
      switch (byte, pair) {
      case (UInt8(ascii: "="), UInt8(ascii: "=")): (.relation(.equal), 2)
      case (UInt8(ascii: "="), UInt8(ascii: "<")): (.relation(.lessOrEqual), 2)
      case (UInt8(ascii: "="), UInt8(ascii: ">")): (.relation(.greaterOrEqual), 2)
      case (UInt8(ascii: "="), _): (.relation(.equal), 1)
      case (UInt8(ascii: "!"), UInt8(ascii: "=")): (.relation(.notEqual), 2)
      case (UInt8(ascii: "!"), _): (.not, 1)
      case (UInt8(ascii: "<"), UInt8(ascii: "=")): (.relation(.lessOrEqual), 2)
      case (UInt8(ascii: "<"), UInt8(ascii: ">")): (.relation(.notEqual), 2)
      case (UInt8(ascii: "<"), _): (.relation(.less), 1)
      case (UInt8(ascii: ">"), UInt8(ascii: "=")): (.relation(.greaterOrEqual), 2)
      case (UInt8(ascii: ">"), _): (.relation(.greater), 1)
      case (UInt8(ascii: "&"), UInt8(ascii: "&")): (.and, 2)
      case (UInt8(ascii: "|"), UInt8(ascii: "|")): (.or, 2)
      default: nil
      }
    guard let kind else { return nil }
    index += kind.length
    return kind.0
  }

  private mutating func argument() throws(RecordsError) -> Token.Kind {
    guard peek(1) == UInt8(ascii: "@") else {
      throw error(
        "“%” must be followed by “@”: the only placeholder is %@.",
        hint: "Write field names directly, and use %@ for values of every kind.",
        at: index)
    }
    index += 2
    return .argument
  }

  private mutating func number() throws(RecordsError) -> Token.Kind {
    let start = index
    index += 1
    skipDigits()
    var isWhole = true
    if peek(0) == UInt8(ascii: "."), isDigit(peek(1)) {
      isWhole = false
      index += 1
      skipDigits()
    }
    if (peek(0) | 0x20) == UInt8(ascii: "e") {
      let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
      if isDigit(peek(1 + sign)) {
        isWhole = false
        index += 1 + sign
        skipDigits()
      }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    let shown = text.prefix(40)
    if isLetter(peek(0)) {
      throw error(
        "“\(shown)” is directly followed by a letter.", hint: "Put texts in quotes.", at: start)
    }
    if isWhole {
      guard let value = Int64(text) else {
        throw error("“\(shown)” does not fit into a 64-bit integer.", at: start)
      }
      return .whole(value)
    }
    guard let value = Double(text), value.isFinite else {
      throw error("“\(shown)” is too large for a number.", at: start)
    }
    return .real(value)
  }

  private mutating func skipDigits() {
    while isDigit(peek(0)) { index += 1 }
  }

  private mutating func quoted(until quote: UInt8) throws(RecordsError) -> String {
    let start = index
    index += 1
    var unescaped: [UInt8]?
    let from = index
    while index < bytes.count, bytes[index] != quote {
      if bytes[index] == UInt8(ascii: "\\") {
        if unescaped == nil { unescaped = Array(bytes[from..<index]) }
        try unescape(into: &unescaped)
      } else {
        unescaped?.append(bytes[index])
        index += 1
      }
    }
    guard index < bytes.count else {
      throw error(
        "The text that begins here has no closing \(quote == 39 ? "'" : "\"").", at: start)
    }
    let content = unescaped.map { String(decoding: $0, as: UTF8.self) }
    index += 1
    return content ?? String(decoding: bytes[from..<index - 1], as: UTF8.self)
  }

  private mutating func unescape(into text: inout [UInt8]?) throws(RecordsError) {
    let start = index
    let escaped = peek(1)
    index += 2
    switch escaped {
    case UInt8(ascii: "n"): text?.append(10)
    case UInt8(ascii: "t"): text?.append(9)
    case UInt8(ascii: "r"): text?.append(13)
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): text?.append(escaped)
    case UInt8(ascii: "u"):
      let digits = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
      guard digits.utf8.count == 4, digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
        let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
      else {
        throw error(
          "“\\u” must be followed by the four hexadecimal digits of a character.", at: start)
      }
      index += 4
      text?.append(contentsOf: Array(String(scalar).utf8))
    default:
      throw error(
        "A backslash can only precede ' \" \\ n t r or u.",
        hint: "A backslash itself is written \\\\.", at: start)
    }
  }

  private func peek(_ distance: Int) -> UInt8 {
    index + distance < bytes.count ? bytes[index + distance] : 0
  }
}

private func isBlank(_ byte: UInt8) -> Bool {
  byte == 32 || byte &- 9 < 5
}

private func isDigit(_ byte: UInt8) -> Bool {
  byte &- UInt8(ascii: "0") < 10
}

private func isLetter(_ byte: UInt8) -> Bool {
  (byte | 0x20) &- UInt8(ascii: "a") < 26
}
