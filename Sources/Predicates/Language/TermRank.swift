// The order of the operands of AND and OR in normal form: first by cost, then by a digest of the content,
// so that predicates with the same operands in another order have the same normal form.

import Records

/// The sort key of an operand.
struct TermRank: Comparable {
  private let cost: Int
  private let digest: UInt64

  init(_ predicate: Predicate) {
    if case .comparison(let comparison) = predicate {
      cost = Self.cost(of: comparison)
      digest = StructuralHash(comparison).value
    } else {
      cost = Self.cost(of: predicate)
      digest = StructuralHash(predicate).value
    }
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.cost, left.digest) < (right.cost, right.digest)
  }

  private static func cost(of predicate: Predicate) -> Int {
    switch predicate {
    case .constant: 0
    case .not(let operand): cost(of: operand) + 1
    case .comparison(let comparison): cost(of: comparison)
    case .distance: 20
    case .words: 60
    case .and(let operands), .or(let operands):
      operands.reduce(10) { $0 + cost(of: $1) }
    }
  }

  private static func cost(of comparison: Comparison) -> Int {
    let relation =
      switch comparison.relation {
      case .equal: 2
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: 4
      case .notEqual: 6
      case .in: 6
      case .beginsWith, .endsWith: 8
      case .contains: 16
      case .like: 24
      }
    return relation + (comparison.quantifier == .whole ? 0 : 30)
      + (comparison.options.isEmpty ? 0 : 2)
  }
}

/// A digest of a predicate's content that is the same in every run. It is not cryptographic.
struct StructuralHash: Comparable {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(_ predicate: Predicate) {
    mix(predicate)
  }

  init(_ content: Value) {
    mix(content)
  }

  init(_ comparison: Comparison) {
    mix(comparison)
  }

  static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }

  private mutating func mix(_ number: UInt64) {
    value = (value ^ number) &* 0xFF51_AFD7_ED55_8CCD
    value ^= value >> 32
  }

  private mutating func mix(_ text: String) {
    var text = text
    text.withUTF8 { value = ByteHash.hash($0.baseAddress, count: $0.count, seed: value) }
  }

  private mutating func mix(_ predicate: Predicate) {
    switch predicate {
    case .constant(let isTrue): mix(isTrue ? 1 : 2)
    case .comparison(let comparison): mix(comparison)
    case .words(let words):
      mix(3)
      mix(words)
    case .distance(let distance):
      mix(4)
      mix(distance.path)
      mix(.location(distance.point))
      mix(UInt64(distance.relation.rawValue))
      mix(distance.metres.bitPattern)
    case .not(let operand):
      mix(5)
      mix(operand)
    case .and(let operands):
      mix(6)
      for operand in operands { mix(operand) }
    case .or(let operands):
      mix(7)
      for operand in operands { mix(operand) }
    }
  }

  private mutating func mix(_ comparison: Comparison) {
    mix(comparison.path)
    mix(
      UInt64(comparison.relation.rawValue) << 16 | UInt64(comparison.quantifier.rawValue) << 8
        | UInt64(comparison.options.rawValue))
    switch comparison.operand {
    case .nothing: mix(1)
    case .now: mix(2)
    case .value(let value): mix(value)
    case .values(let values): mix(.list(values))
    }
  }

  private mutating func mix(_ path: FieldPath) {
    switch path {
    case .field(let key): mix(key.text)
    case .entry(let field, let part):
      mix(field.text)
      mix(part.text)
    case .system(let field): mix(UInt64(field.rawValue))
    }
  }

  private mutating func mix(_ content: Value) {
    mix(UInt64(content.comparisonClass.rawValue))
    switch content {
    case .string(let text): mix(text)
    case .int64(let number): mix(UInt64(bitPattern: number))
    case .double(let number): mix(number.bitPattern)
    case .boolean(let flag): mix(flag ? 1 : 0)
    case .date(let time): mix(UInt64(bitPattern: time.microseconds))
    case .bytes(let bytes): for byte in bytes { mix(UInt64(byte)) }
    case .location(let place):
      mix(place.latitudeDegrees.bitPattern)
      mix(place.longitudeDegrees.bitPattern)
    case .reference(let reference): mix(reference.record.text)
    case .asset(let asset): for byte in asset.digest { mix(UInt64(byte)) }
    case .list(let values): for value in values { mix(value) }
    case .entries, .unknown: break
    }
  }
}
