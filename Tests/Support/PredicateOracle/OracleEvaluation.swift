// Evaluates a parsed predicate on one record by following docs/predicates.md sentence by sentence. It is
// deliberately slow and simple.

/// Evaluates predicates on one record.
package struct OracleEvaluation {
  private let record: OracleRecord
  private let now: Int64
  /// The number of words of a record that `self CONTAINS` searches.
  private static let wordsMaximum = 4096

  /// Creates an evaluation on `record`; `now` is the value of `now()` in microseconds.
  package init(_ record: OracleRecord, now: Int64) {
    self.record = record
    self.now = now
  }

  /// Whether `predicate` holds for the record.
  package func holds(_ predicate: OraclePredicate) -> Bool {
    switch predicate {
    case .constant(let truth): truth
    case .not(let operand): !holds(operand)
    case .both(let left, let right): holds(left) && holds(right)
    case .either(let left, let right): holds(left) || holds(right)
    case .words(let wanted): hasWord(of: wanted)
    case .distance(let field, let from, let sign, let metres):
      holds(value(of: field), from, sign, metres)
    case .comparison(let comparison): holds(comparison)
    }
  }

  private func hasWord(of wanted: String) -> Bool {
    let wanted = Set(OracleText.words(wanted))
    let names = record.fields.keys.sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) }
    var left = Self.wordsMaximum
    for name in names {
      guard case .text(let text)? = record.fields[name] else { continue }
      let words = OracleText.words(text).prefix(left)
      if words.contains(where: wanted.contains) { return true }
      left -= words.count
    }
    return false
  }

  private func holds(
    _ place: OracleValue?, _ from: OracleValue, _ sign: OracleSign, _ metres: OracleValue
  ) -> Bool {
    guard case .place(let latitude, let longitude)? = place,
      case .place(let fromLatitude, let fromLongitude) = from
    else { return false }
    let distance = OracleSphere.metres((latitude, longitude), (fromLatitude, fromLongitude))
    return OracleComparator().holds(.real(distance), sign, metres)
  }

  private func value(of field: OracleField) -> OracleValue? {
    switch field {
    case .own(let name): record.fields[name]
    case .system(let name): record.system[name]
    case .part: nil
    }
  }

  private func holds(_ comparison: OracleComparison) -> Bool {
    guard comparison.quantifier != .whole else {
      return holds(comparison, value(of: comparison.field))
    }
    guard let elements = elements(of: comparison.field) else {
      return comparison.quantifier == .none
    }
    switch comparison.quantifier {
    case .all: return elements.allSatisfy { holds(comparison, $0) }
    case .none: return !elements.contains { holds(comparison, $0) }
    case .any, .whole: return elements.contains { holds(comparison, $0) }
    }
  }

  /// Returns the values that ANY tests: the elements of a list, or one part of each entry. An entry's part
  /// may be missing.
  private func elements(of field: OracleField) -> [OracleValue?]? {
    switch field {
    case .own(let name):
      guard case .list(let elements)? = record.fields[name] else { return nil }
      return elements
    case .part(let name, let part):
      guard case .entries(let entries)? = record.fields[name] else { return nil }
      return entries.map { $0[part] }
    case .system: return nil
    }
  }

  private func holds(_ comparison: OracleComparison, _ value: OracleValue?) -> Bool {
    if case .absence = comparison.operand { return (value == nil) == (comparison.sign == .equal) }
    guard let value else { return false }
    let operand =
      if case .value(let operand) = comparison.operand { operand } else { OracleValue.moment(now) }
    let comparator = OracleComparator(
      ignoresCase: comparison.ignoresCase, ignoresMarks: comparison.ignoresMarks)
    guard comparison.isReversed else { return comparator.holds(value, comparison.sign, operand) }
    // `value IN field` tests whether the field contains the value.
    if comparison.sign == .isIn { return comparator.holds(value, .contains, operand) }
    return comparator.holds(operand, comparison.sign, value)
  }
}

extension Optional where Wrapped == OracleValue {
  fileprivate static func == (value: Self, nothing: _OptionalNilComparisonType) -> Bool {
    if case .none = value { true } else { false }
  }
}
