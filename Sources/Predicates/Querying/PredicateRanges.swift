// Where in a declared index the records lie for which a predicate holds. A stretch too wide costs time,
// one too narrow would lose a record: where the key of a field says nothing certain, every key is in
// it. The predicate is run on whatever is found.

import Records

extension Predicate {
  /// The keys that the field at `path` has in every record for which the predicate holds; `nil` where
  /// it may have any.
  package func ranges(of path: FieldPath) -> KeyRanges? {
    switch self {
    case .constant(let isTrue): return isTrue ? nil : KeyRanges.none
    case .comparison(let comparison):
      return comparison.path == path ? comparison.ranges : nil
    case .and(let operands):
      return operands.reduce(nil) { found, operand in
        guard let ranges = operand.ranges(of: path) else { return found }
        return found?.intersection(ranges) ?? ranges
      }
    case .or(let operands):
      let all = operands.compactMap { $0.ranges(of: path) }
      return all.count == operands.count ? .union(all) : nil
    // NB: a NOT holds for records without the field too; what is outside of a stretch is not the
    // opposite of what is in it.
    case .not, .words, .distance: return nil
    }
  }
}

extension Comparison {
  fileprivate var ranges: KeyRanges? {
    // What is compared without case or accents is not compared as it is kept.
    guard quantifier == .whole, options.isEmpty else { return nil }
    switch (relation, operand) {
    case (.equal, .nothing): return KeyRanges(IndexKey(nil))
    case (.equal, .value(let value)): return KeyRanges(IndexKey(value))
    case (.notEqual, .value(let value)): return .every(value.comparisonClass)
    case (.in, .values(let values)): return .union(values.map { KeyRanges(IndexKey($0)) })
    case (.less, .value(let value)), (.lessOrEqual, .value(let value)):
      return KeyRanges.every(value.comparisonClass).intersection(.through(IndexKey(value)))
    case (.greater, .value(let value)), (.greaterOrEqual, .value(let value)):
      return KeyRanges.every(value.comparisonClass).intersection(.from(IndexKey(value)))
    case (.between, .values(let bounds)) where bounds.count == 2:
      return KeyRanges.every(bounds[0].comparisonClass)
        .intersection(.from(IndexKey(bounds[0]))).intersection(.through(IndexKey(bounds[1])))
    case (.beginsWith, .value(.string(let text))): return Self.beginning(with: Array(text.utf8))
    case (.like, .value(.string(let text))):
      return Self.beginning(with: LikePattern.literalPrefix(of: Array(text.utf8)))
    default: return nil
    }
  }

  private static func beginning(with bytes: some Collection<UInt8>) -> KeyRanges {
    .beginning(
      with: [IndexKey.kind(.text)] + bytes.prefix(IndexKey.contentBytesMax))
  }
}
