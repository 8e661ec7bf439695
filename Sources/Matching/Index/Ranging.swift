// Keys for numbers and dates. An interval is filed under the one or two cells it touches, of the
// smallest size of cell that it touches at most two of; a value looks into one cell of every size
// that is in use. What is open at one end goes into a sorted table of bounds.

import Predicates
import Records

extension Partition {
  /// The keys of the values from one to another; `nil` for no bound. Without `wantsKeys` what they
  /// cost.
  func range(
    from low: Value?, to high: Value?, slot: UInt16, wantsKeys: Bool
  ) -> Cover {
    addUses()
    guard let start = low == nil ? -.infinity : low?.number,
      let end = high == nil ? .infinity : high?.number
    else { return Cover(keys: [.bits(kind: KeyKind.presence, slot: slot, 0)], cost: 0.9) }
    note(start, end, slot: slot)
    let cost = cost(from: start, to: end, slot: slot)
    guard wantsKeys else {
      return Cover(
        keys: [], cost: low == nil || high == nil ? min(0.8, cost) : min(0.85, cost * 2))
    }
    guard let low, let high else {
      let place = NumberLine.place(low == nil ? end : start)
      return Cover(
        keys: [.threshold(slot: slot, isLower: low != nil, place)], cost: min(0.8, cost))
    }
    guard start <= end else { return Cover(keys: [], cost: 0) }
    let isWhole = low.isWholeNumber && high.isWholeNumber
    let from = isWhole ? NumberLine.place(low.floor) : NumberLine.place(start)
    let to = isWhole ? NumberLine.place(high.floor) : NumberLine.place(end)
    // NB: whole numbers beyond 2⁵³ may be in order although their nearest real ones are the same.
    guard from <= to else { return Cover(keys: [], cost: 0) }
    let level = NumberLine.level(from: from, to: to)
    let kind = (isWhole ? KeyKind.wholeCell : KeyKind.realCell) + UInt8(level)
    let cells = Set([from >> UInt64(level), to >> UInt64(level)])
    return Cover(
      keys: cells.map { .bits(kind: kind, slot: slot, $0) }, cost: min(0.85, cost * 2))
  }

  /// Where a field's values lie is guessed from where predicates draw their bounds.
  private func note(_ start: Double, _ end: Double, slot: UInt16) {
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
    let share = (min(end, use.largest) - max(start, use.smallest)) / span
    return max(0.0001, min(1, share))
  }
}

extension Value {
  /// The number or date as a real number; not exact beyond 2⁵³, but in order.
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
