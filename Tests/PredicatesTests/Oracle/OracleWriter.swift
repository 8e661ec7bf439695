// Values as the text of a predicate has them, in all the ways in which each can be written.

import PredicateOracle
import PredicateWorld
import Records

/// Writes values.
struct OracleWriter {
  private(set) var dice: SeededDice
  /// A longer text is bound.
  private static let textScalars = 60

  init(_ dice: SeededDice) {
    self.dice = dice
  }

  /// `value` as it is written, or `nil` where it can only be bound.
  mutating func literal(_ value: OracleValue) -> String? {
    switch value {
    case .text(let text):
      text.unicodeScalars.count > Self.textScalars ? nil : quoted(text)
    case .whole(let number): "\(number)"
    case .real(let number): dice.percent(50) ? "\(number)" : "\(number)".uppercased()
    case .boolean(let truth):
      dice.one(of: truth ? ["TRUE", "YES", "true", "Yes"] : ["FALSE", "NO", "false", "No"])
    case .moment(let microseconds): dated(microseconds)
    case .bytes(let bytes): "bytes(\"\(hexadecimal(bytes))\")"
    case .place(let north, let east): "location(\(north), \(east))"
    case .reference(let name): "reference(\(quoted(name)))"
    case .asset(let digest, let size): "asset('\(hexadecimal(digest))', \(size))"
    case .list, .entries, .foreign: nil
    }
  }

  private mutating func dated(_ microseconds: Int64) -> String {
    switch dice.below(3) {
    case 0: return "date(\(microseconds))"
    case 1: return "date('\(Timestamp(microseconds: microseconds))')"
    default:
      // NB: not at the ends of the years that can be written.
      let east = Timestamp(microseconds: microseconds).adding(seconds: 5400).description
      guard (1971..<9999).contains(Int(east.prefix(4)) ?? 0) else { return "date(\(microseconds))" }
      return "date(\"\(east.dropLast())+01:30\")"
    }
  }

  private mutating func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return dice.percent(50) ? digits : digits.uppercased()
  }

  private mutating func quoted(_ text: String) -> String {
    let quote: Unicode.Scalar = dice.percent(50) ? "'" : "\""
    let escapesMost = dice.percent(20)
    let written = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\\", quote: return "\\\(scalar)"
      case "\n" where dice.percent(50): return "\\n"
      case "\t" where dice.percent(50): return "\\t"
      case "\r" where dice.percent(50): return "\\r"
      default: return escapesMost ? escaped(scalar) : String(scalar)
      }
    }
    // NB: joined as scalars; characters would not notice an accent that a quote takes along.
    return String(quote) + written.joined() + String(quote)
  }

  private func escaped(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    guard digits.utf8.count <= 4 else { return String(scalar) }
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
