// Writes values as literals of a predicate, in all spellings that each kind of value has.

import PredicateOracle
import PredicateWorld
import Records

/// Writes values as literals.
struct OracleWriter {
  private(set) var random: SeededGenerator
  /// A text with more scalars is bound as an argument.
  private static let textScalars = 60

  init(_ random: SeededGenerator) {
    self.random = random
  }

  /// Returns the literal of `value`, or `nil` if it can only be bound.
  mutating func literal(_ value: OracleValue) -> String? {
    switch value {
    case .text(let text):
      text.unicodeScalars.count > Self.textScalars ? nil : quoted(text)
    case .whole(let number): "\(number)"
    case .real(let number): random.percent(50) ? "\(number)" : "\(number)".uppercased()
    case .boolean(let truth):
      random.one(of: truth ? ["TRUE", "YES", "true", "Yes"] : ["FALSE", "NO", "false", "No"])
    case .moment(let microseconds): dated(microseconds)
    case .bytes(let bytes): "bytes(\"\(hexadecimal(bytes))\")"
    case .place(let north, let east): "location(\(north), \(east))"
    case .reference(let name): "reference(\(quoted(name)))"
    case .asset(let digest, let size): "asset('\(hexadecimal(digest))', \(size))"
    case .list, .entries, .foreign: nil
    }
  }

  private mutating func dated(_ microseconds: Int64) -> String {
    switch random.below(3) {
    case 0: return "date(\(microseconds))"
    case 1: return "date('\(Timestamp(microseconds: microseconds))')"
    default:
      // NB: not at the first and last years that can be written.
      let east = Timestamp(microseconds: microseconds).adding(seconds: 5400).description
      guard (1971..<9999).contains(Int(east.prefix(4)) ?? 0) else { return "date(\(microseconds))" }
      return "date(\"\(east.dropLast())+01:30\")"
    }
  }

  private mutating func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return random.percent(50) ? digits : digits.uppercased()
  }

  private mutating func quoted(_ text: String) -> String {
    let quote: Unicode.Scalar = random.percent(50) ? "'" : "\""
    let escapesMost = random.percent(20)
    let written = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\\", quote: return "\\\(scalar)"
      case "\n" where random.percent(50): return "\\n"
      case "\t" where random.percent(50): return "\\t"
      case "\r" where random.percent(50): return "\\r"
      default: return escapesMost ? escaped(scalar) : String(scalar)
      }
    }
    // NB: joined as scalars, because a mark after a quote joins it to one character.
    return String(quote) + written.joined() + String(quote)
  }

  private func escaped(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    guard digits.utf8.count <= 4 else { return String(scalar) }
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
