// Finds the ranges of a declared index that contain all records that a predicate matches. Ranges that are
// too wide cost time, but ranges that are too narrow would miss records. A condition that cannot be decided
// by a key therefore includes every key. The predicate is evaluated on all records found.

import Records

extension Predicate {
  /// Returns ranges that contain the key of the field at `path` of every record that the predicate matches;
  /// `nil` if the key can have any value.
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
    // NB: a NOT also matches records without the field, and records whose key is in the operand's ranges.
    // So the complement of the ranges would be too narrow.
    case .not, .words, .distance: return nil
    }
  }
}

extension Comparison {
  fileprivate var ranges: KeyRanges? {
    // Keys contain texts that are not folded.
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
