// Values at the limits of their kinds, and variations of a value: equal, nearly equal, or equal but of
// another kind.

import Foundation
import PredicateOracle
import PredicateWorld
import Records

/// Generates random values.
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

  /// Returns a value that a list can contain.
  static func scalar(_ random: inout SeededGenerator) -> OracleValue {
    switch random.below(14) {
    case 0...4: .text(NastyTexts.text(&random))
    case 5...8: number(&random)
    case 9: .moment(random.one(of: moments))
    case 10: bytes(&random)
    case 11: place(&random)
    case 12: .reference(random.one(of: names))
    default: asset(&random)
    }
  }

  static func number(_ random: inout SeededGenerator) -> OracleValue {
    switch random.below(10) {
    case 0...4: .whole(random.one(of: wholes))
    case 5...8: .real(random.one(of: reals))
    default: .boolean(random.percent(50))
    }
  }

  static func place(_ random: inout SeededGenerator) -> OracleValue {
    let (latitude, longitude) = random.one(of: places)
    return .place(latitude, longitude)
  }

  static func bytes(_ random: inout SeededGenerator) -> OracleValue {
    .bytes([UInt8](repeating: random.one(of: [0, 255]), count: random.below(3)))
  }

  static func asset(_ random: inout SeededGenerator) -> OracleValue {
    .asset([UInt8](repeating: UInt8(random.below(2)), count: 32), random.one(of: [0, 1, 1 << 40]))
  }

  /// Returns `value`, an adjacent value, or another value of the same kind.
  static func near(_ value: OracleValue, _ random: inout SeededGenerator) -> OracleValue {
    if case .text(let text) = value { return .text(NastyTexts.near(text, &random)) }
    guard random.percent(50) else { return random.percent(25) ? other(value, &random) : value }
    switch value {
    case .whole(let number):
      return random.percent(50)
        ? .real(Double(number)) : .whole(number &+ Int64(random.below(3) - 1))
    case .real(let number):
      if let whole = Int64(exactly: number), random.percent(50) { return .whole(whole) }
      return .real(random.percent(50) || number.nextUp.isInfinite ? number : number.nextUp)
    case .boolean(let truth): return .whole(truth ? 1 : 0)
    case .moment(let micros): return .moment(micros &+ Int64(random.below(3) - 1))
    default: return other(value, &random)
    }
  }

  /// Returns a random value of the same kind.
  static func other(_ value: OracleValue, _ random: inout SeededGenerator) -> OracleValue {
    switch value {
    case .text: .text(NastyTexts.text(&random))
    case .whole, .real, .boolean: number(&random)
    case .moment: .moment(random.one(of: moments))
    case .bytes: bytes(&random)
    case .place: place(&random)
    case .reference(let name):
      .reference(random.one(of: accounts.contains(name) ? accounts : names))
    case .asset: asset(&random)
    case .list(let values): .list(values.map { near($0, &random) })
    case .entries, .foreign: scalar(&random)
    }
  }
}
