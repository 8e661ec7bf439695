// Keys for ranges of numbers and dates. The number line is divided into cells of 64 sizes, the powers of
// two. A closed interval is filed under the one or two cells that it overlaps, of a size slightly larger
// than the interval. A value is looked up in one cell of each size in use. A range that is open at one
// end is an entry in a sorted table of bounds.

import Predicates
import Records

extension Partition {
  /// Returns the cover of the values from `low` to `high`, where `nil` is no bound. Without
  /// `wantsKeys`, the cover has only its cost.
  func range(
    from low: Value?, to high: Value?, slot: UInt16, wantsKeys: Bool
  ) -> Cover {
    addUses()
    guard let start = low == nil ? -.infinity : low?.number,
      let end = high == nil ? .infinity : high?.number
    else { return Cover(keys: [.bits(kind: KeyKind.presence, slot: slot, 0)], cost: 0.9) }
    extendRange(start, end, slot: slot)
    let cost = cost(from: start, to: end, slot: slot)
    guard wantsKeys else {
      return Cover(
        keys: [], cost: low == nil || high == nil ? min(0.8, cost) : min(0.85, cost * 2))
    }
    guard let low, let high else {
      let position = NumberLine.position(low == nil ? end : start)
      return Cover(
        keys: [.threshold(slot: slot, isLower: low != nil, position)], cost: min(0.8, cost))
    }
    guard start <= end else { return Cover(keys: [], cost: 0) }
    let isWhole = low.isWholeNumber && high.isWholeNumber
    let from = isWhole ? NumberLine.position(low.floor) : NumberLine.position(start)
    let to = isWhole ? NumberLine.position(high.floor) : NumberLine.position(end)
    // NB: integers beyond 2⁵³ can be out of order although their nearest doubles are equal.
    guard from <= to else { return Cover(keys: [], cost: 0) }
    let level = NumberLine.level(from: from, to: to)
    let kind = (isWhole ? KeyKind.wholeCell : KeyKind.realCell) + UInt8(level)
    let cells = Set([from >> UInt64(level), to >> UInt64(level)])
    return Cover(
      keys: cells.map { .bits(kind: kind, slot: slot, $0) }, cost: min(0.85, cost * 2))
  }

  /// Extends the slot's estimated value range, which is the range of the predicates' bounds.
  private func extendRange(_ start: Double, _ end: Double, slot: UInt16) {
    let use = uses.base + Int(slot)
    for bound in [start, end] where bound.isFinite {
      use.pointee.smallest = min(use.pointee.smallest, bound)
      use.pointee.largest = max(use.pointee.largest, bound)
    }
  }

  private func cost(from start: Double, to end: Double, slot: UInt16) -> Double {
    let use = uses[Int(slot)]
    let span = use.largest - use.smallest
    guard span > 0, span.isFinite else { return 0.3 }
    let fraction = (min(end, use.largest) - max(start, use.smallest)) / span
    return max(0.0001, min(1, fraction))
  }
}

extension Value {
  /// The number or date as a double, rounded to the nearest beyond 2⁵³.
  fileprivate var number: Double? {
    switch self {
    case .int64(let number): Double(number)
    case .double(let number): number
    case .boolean(let flag): flag ? 1 : 0
    case .date(let time): Double(time.microseconds)
    default: nil
    }
  }

  fileprivate var isWholeNumber: Bool {
    if case .double(let number) = self { number == number.rounded() } else { true }
  }

  fileprivate var floor: Int64 {
    switch self {
    case .int64(let number): number
    case .double(let number): NumberLine.floor(number)
    case .boolean(let flag): flag ? 1 : 0
    case .date(let time): time.microseconds
    default: 0
    }
  }
}
