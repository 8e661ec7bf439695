// The syntax tree of a predicate. The parser creates it, `PredicateDescription.swift` prints it,
// `NormalForm.swift` normalises it, and `ProgramCompiler` compiles it to a `Program`, which is evaluated.
//
// There are only two truth values. A comparison of a field that is missing, or has another kind of value, is
// false, also `!=`, and its NOT is true. So a NOT must never be removed by inverting an operator:
// `NOT (age < 5)` matches a record without an age, `age >= 5` does not.

import Records

/// A condition on one record.
package indirect enum Predicate: Hashable, Sendable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  /// A comparison of a field with a constant.
  case comparison(Comparison)
  /// `self CONTAINS '…'`: any text of the record contains any of the words.
  case words(String)
  /// A comparison of a location's distance.
  case distance(DistanceComparison)
  /// The negation. It matches records for which the operand is false because of a missing field.
  case not(Predicate)
  /// The conjunction of at least two operands.
  case and([Predicate])
  /// The disjunction of at least two operands.
  case or([Predicate])

  /// The number of comparisons, which `PredicateLimits.terms` limits.
  package var termCount: Int {
    switch self {
    case .constant, .comparison, .words, .distance: 1
    case .not(let operand): operand.termCount
    case .and(let operands), .or(let operands): operands.reduce(0) { $0 + $1.termCount }
    }
  }

  /// Whether the predicate uses `now()`, so that its result depends on the time of evaluation. A
  /// subscription's predicate cannot use it.
  package var usesNow: Bool {
    switch self {
    case .constant, .words, .distance: false
    case .comparison(let comparison): comparison.operand == .now
    case .not(let operand): operand.usesNow
    case .and(let operands), .or(let operands): operands.contains(where: \.usesNow)
    }
  }
}

/// A comparison `distanceToLocation:fromLocation:(field, point) < metres`.
package struct DistanceComparison: Hashable, Sendable {
  /// The field with the location.
  package let path: FieldPath
  /// The location from which the distance is measured.
  package let point: Location
  /// One of `<`, `<=`, `>`, `>=`.
  package let relation: Relation
  /// The distance in metres, not negative.
  package let metres: Double

  package init(path: FieldPath, point: Location, relation: Relation, metres: Double) {
    self.path = path
    self.point = point
    self.relation = relation
    self.metres = metres
  }
}
