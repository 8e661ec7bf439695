// Values at the edges of their kinds, and values that are the same, nearly the same, or the same of
// another kind.

import Foundation
import PredicateOracle
import PredicateWorld
import Records

/// Draws values.
enum NastyValues {
  static let wholes: [Int64] = [
    -1, 0, 1, 2, 3, 18, 1 << 53, 1 << 53 + 1, 1 << 53 - 1, -(1 << 53) - 1, .min, .min + 1, .max,
    .max - 1,
  ]
  static let reals: [Double] = [
    -1.5, -0.0, 0.0, 0.5, 1, 2.5, 18, 0x1p53, -0x1p53, 0x1p63, -0x1p63, 0x1p63.nextDown,
    -0x1p63.nextUp, 9.3e18, -1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 0.3, 1.25,
  ]
  static let moments: [Int64] = [
    -1, 0, 1_000_000, 1_700_000_000_000_000, 1_700_000_000_000_001, 951_782_400_000_000,
    -2_208_988_800_000_000, -62_135_596_800_000_000, 253_402_300_799_000_000,
  ]
  static let places: [(Double, Double)] = [
    (59.33, 18.06), (59.34, 18.07), (57.7, 11.97), (-33.9, 151.2), (0, 180), (0, -180),
    (0, 179.999), (0, -179.999), (90, 0), (90, 77), (-90, 10), (89.9, 180), (0, 0), (-0.0, -0.0),
    (45, 90), (-45, -90),
  ]
  static let names = ["a", "b", "c", "person-1"]
  static let accounts = (1...3).map { AccountID(UInt128($0)).description }

  /// A value that can stand in a list.
  static func scalar(_ dice: inout SeededDice) -> OracleValue {
    switch dice.below(14) {
    case 0...4: .text(NastyTexts.text(&dice))
    case 5...8: number(&dice)
    case 9: .moment(dice.one(of: moments))
    case 10: bytes(&dice)
    case 11: place(&dice)
    case 12: .reference(dice.one(of: names))
    default: asset(&dice)
    }
  }

  static func number(_ dice: inout SeededDice) -> OracleValue {
    switch dice.below(10) {
    case 0...4: .whole(dice.one(of: wholes))
    case 5...8: .real(dice.one(of: reals))
    default: .boolean(dice.percent(50))
    }
  }

  static func place(_ dice: inout SeededDice) -> OracleValue {
    let (latitude, longitude) = dice.one(of: places)
    return .place(latitude, longitude)
  }

  static func bytes(_ dice: inout SeededDice) -> OracleValue {
    .bytes([UInt8](repeating: dice.one(of: [0, 255]), count: dice.below(3)))
  }

  static func asset(_ dice: inout SeededDice) -> OracleValue {
    .asset([UInt8](repeating: UInt8(dice.below(2)), count: 32), dice.one(of: [0, 1, 1 << 40]))
  }

  /// `value` more often than not, and else a neighbour of its kind.
  static func near(_ value: OracleValue, _ dice: inout SeededDice) -> OracleValue {
    if case .text(let text) = value { return .text(NastyTexts.near(text, &dice)) }
    guard dice.percent(50) else { return dice.percent(25) ? other(value, &dice) : value }
    switch value {
    case .whole(let number):
      return dice.percent(50)
        ? .real(Double(number)) : .whole(number &+ Int64(dice.below(3) - 1))
    case .real(let number):
      if let whole = Int64(exactly: number), dice.percent(50) { return .whole(whole) }
      return .real(dice.percent(50) || number.nextUp.isInfinite ? number : number.nextUp)
    case .boolean(let truth): return .whole(truth ? 1 : 0)
    case .moment(let micros): return .moment(micros &+ Int64(dice.below(3) - 1))
    default: return other(value, &dice)
    }
  }

  /// Another value of the same kind.
  static func other(_ value: OracleValue, _ dice: inout SeededDice) -> OracleValue {
    switch value {
    case .text: .text(NastyTexts.text(&dice))
    case .whole, .real, .boolean: number(&dice)
    case .moment: .moment(dice.one(of: moments))
    case .bytes: bytes(&dice)
    case .place: place(&dice)
    case .reference(let name):
      .reference(dice.one(of: accounts.contains(name) ? accounts : names))
    case .asset: asset(&dice)
    case .list(let values): .list(values.map { near($0, &dice) })
    case .entries, .foreign: scalar(&dice)
    }
  }
}
