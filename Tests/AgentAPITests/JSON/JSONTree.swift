// Random JSON texts, of which the value is known.

import Foundation
import PredicateWorld

@testable import AgentAPI

/// A JSON value of the kinds that the scanner reads.
indirect enum JSONTree: Equatable {
  case text(String)
  case noText
  case flag(Bool)
  case list([JSONTree])
  case object([(key: String, value: JSONTree)])

  static func == (left: JSONTree, right: JSONTree) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.noText, .noText): true
    case (.flag(let left), .flag(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.object(let left), .object(let right)):
      left.elementsEqual(right) { $0.key == $1.key && $0.value == $1.value }
    default: false
    }
  }

  /// A value with at most `depth` levels of lists and objects.
  static func random(_ generator: inout SeededGenerator, depth: Int = 3) -> JSONTree {
    switch generator.below(depth > 0 ? 7 : 3) {
    case 0: return .text(.random(&generator))
    case 1: return .noText
    case 2: return .flag(generator.percent(50))
    case 3, 4:
      return .list((0..<generator.below(4)).map { _ in random(&generator, depth: depth - 1) })
    default:
      return .object(
        (0..<generator.below(4)).map { number in
          ("\(number)" + .random(&generator), random(&generator, depth: depth - 1))
        })
    }
  }

  /// Returns a text of the value, with random blanks and escapes.
  func json(_ generator: inout SeededGenerator) -> String {
    var parts: [String] = []
    switch self {
    case .text(let text): return Self.json(text, &generator)
    case .noText: return "null"
    case .flag(let flag): return "\(flag)"
    case .list(let items):
      for item in items { parts.append(Self.blanks(&generator) + item.json(&generator)) }
      return "[" + parts.joined(separator: Self.blanks(&generator) + ",") + "]"
    case .object(let pairs):
      for (key, value) in pairs {
        parts.append(
          Self.blanks(&generator) + Self.json(key, &generator) + Self.blanks(&generator) + ":"
            + Self.blanks(&generator) + value.json(&generator))
      }
      return "{" + parts.joined(separator: ",") + Self.blanks(&generator) + "}"
    }
  }

  /// Reads a value of the same form as this one.
  func read(_ scanner: inout JSONScanner) throws -> JSONTree {
    switch self {
    case .text: return .text(try scanner.string())
    case .noText: return try scanner.optionalString().map { .text($0) } ?? .noText
    case .flag: return .flag(try scanner.flag())
    case .list(let items):
      var found: [JSONTree] = []
      try scanner.list { scanner in
        guard found.count < items.count else { throw JSONScanner.Unexpected(offset: 0) }
        found.append(try items[found.count].read(&scanner))
      }
      return .list(found)
    case .object(let pairs):
      var found: [(key: String, value: JSONTree)] = []
      try scanner.object { scanner, key in
        guard found.count < pairs.count else { throw JSONScanner.Unexpected(offset: 0) }
        found.append((key, try pairs[found.count].value.read(&scanner)))
      }
      return .object(found)
    }
  }

  private static func blanks(_ generator: inout SeededGenerator) -> String {
    generator.one(of: ["", "", "", " ", "\n", "\t\r "])
  }

  /// Returns the text in quotation marks, with each unit escaped in one of the ways that JSON has.
  private static func json(_ text: String, _ generator: inout SeededGenerator) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      guard mustEscape || generator.percent(20) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      if let short = short[scalar], generator.percent(50) {
        result += short
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: generator.percent(50))
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result + "\""
  }

  private static let short: [Unicode.Scalar: String] = [
    "\"": #"\""#, "\\": #"\\"#, "/": #"\/"#, "\n": #"\n"#, "\r": #"\r"#, "\t": #"\t"#,
    "\u{8}": #"\b"#, "\u{C}": #"\f"#,
  ]
}
