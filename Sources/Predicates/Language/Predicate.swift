// What a query or a subscription asks of a record. The tree is what the text said, no more: the
// parser makes it, `Printing.swift` writes it down again, `Normalising.swift` brings equal meanings
// into one form, and a `Program` is what is run.
//
// There is no third truth value. A comparison of a field that is missing, or that holds another
// kind of value, is false, `!=` included; NOT of that is true. So no operator may ever be flipped
// to push a NOT down: `NOT (age < 5)` holds for a record without an age, `age >= 5` does not.

import Records

/// A condition on one record.
package indirect enum Predicate: Hashable, Sendable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  /// A field compared with something.
  case comparison(Comparison)
  /// `self CONTAINS '…'`: any of the words stands in any of the record's texts.
  case words(String)
  /// A place within or beyond a distance.
  case distance(DistanceComparison)
  /// The opposite, missing fields included.
  case not(Predicate)
  /// All of at least two.
  case and([Predicate])
  /// Any of at least two.
  case or([Predicate])

  /// The comparisons in it, which `PredicateLimits.terms` bounds.
  package var termCount: Int {
    switch self {
    case .constant, .comparison, .words, .distance: 1
    case .not(let operand): operand.termCount
    case .and(let operands), .or(let operands): operands.reduce(0) { $0 + $1.termCount }
    }
  }

  /// Whether its answer depends on when it is asked. A subscription's may not.
  package var usesNow: Bool {
    switch self {
    case .constant, .words, .distance: false
    case .comparison(let comparison): comparison.operand == .now
    case .not(let operand): operand.usesNow
    case .and(let operands), .or(let operands): operands.contains(where: \.usesNow)
    }
  }
}

/// `distanceToLocation:fromLocation:(field, point) < metres`.
package struct DistanceComparison: Hashable, Sendable {
  /// The field that holds a location.
  package let path: FieldPath
  /// Where the distance is measured from.
  package let point: Location
  /// One of `<`, `<=`, `>`, `>=`.
  package let relation: Relation
  /// The distance, not negative.
  package let metres: Double

  /// Compares the distance of `path` from `point`.
  package init(path: FieldPath, point: Location, relation: Relation, metres: Double) {
    self.path = path
    self.point = point
    self.relation = relation
    self.metres = metres
  }
}
