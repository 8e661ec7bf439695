/// A token of a predicate's text.
enum OracleToken: Equatable {
  /// A keyword, a name or a function.
  case word(String)
  /// A name after `#`, which is never a keyword.
  case name(String)
  case text([UInt32])
  case number(String)
  /// An operator, a bracket or a comma.
  case mark(String)

  /// Returns the tokens of `text`.
  static func all(in text: String) throws -> [OracleToken] {
    var reader = OracleTokenReader(Array(text.unicodeScalars))
    var tokens: [OracleToken] = []
    while let token = try reader.next() { tokens.append(token) }
    return tokens
  }
}

/// A predicate that the oracle cannot parse.
package struct OracleError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

private struct OracleTokenReader {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  private static let marks = [
    "<=", ">=", "==", "!=", "<>", "=<", "=>", "&&", "||", "%@", "<", ">", "=", "!", "(", ")", "{",
    "}", "[", "]", ",", ":", ".", "-",
  ]

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  mutating func next() throws -> OracleToken? {
    while let scalar = peek, [" ", "\t", "\n", "\r"].contains(scalar) { index += 1 }
    guard let first = peek else { return nil }
    switch first {
    case "'", "\"": return try text(until: first)
    case "#":
      index += 1
      return .name(word())
    case "0"..."9": return number()
    case _ where Self.isLetter(first): return .word(word())
    default: return try mark()
    }
  }

  private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private mutating func take(while isTaken: (Unicode.Scalar) -> Bool) -> String {
    var taken = String.UnicodeScalarView()
    while let scalar = peek, isTaken(scalar) {
      taken.append(scalar)
      index += 1
    }
    return String(taken)
  }

  private mutating func word() -> String {
    take { Self.isLetter($0) || Self.isDigit($0) || $0 == "_" }
  }

  private mutating func number() -> OracleToken {
    var number = take(while: Self.isDigit)
    if peek == "." {
      index += 1
      number += "." + take(while: Self.isDigit)
    }
    if peek == "e" || peek == "E" {
      index += 1
      number += "e"
      if peek == "-" || peek == "+" { number += take { $0 == "-" || $0 == "+" } }
      number += take(while: Self.isDigit)
    }
    return .number(number)
  }

  private mutating func mark() throws -> OracleToken {
    for mark in Self.marks where scalars[index...].starts(with: mark.unicodeScalars) {
      index += mark.unicodeScalars.count
      return .mark(mark)
    }
    throw OracleError("no token begins at \(index)")
  }

  private mutating func text(until quote: Unicode.Scalar) throws -> OracleToken {
    index += 1
    var values: [UInt32] = []
    while let scalar = peek {
      index += 1
      if scalar == quote { return .text(values) }
      values.append(scalar == "\\" ? try escaped() : scalar.value)
    }
    throw OracleError("no closing quote")
  }

  private mutating func escaped() throws -> UInt32 {
    guard let scalar = peek else { throw OracleError("a backslash at the end") }
    index += 1
    switch scalar {
    case "'", "\"", "\\": return scalar.value
    case "n": return 10
    case "t": return 9
    case "r": return 13
    case "u": return try hexadecimal()
    default: throw OracleError("an unknown escape")
    }
  }

  private mutating func hexadecimal() throws -> UInt32 {
    let digits = String(String.UnicodeScalarView(scalars[index...].prefix(4)))
    guard digits.utf8.count == 4, let value = UInt32(digits, radix: 16) else {
      throw OracleError("no four digits")
    }
    index += 4
    return value
  }
}
