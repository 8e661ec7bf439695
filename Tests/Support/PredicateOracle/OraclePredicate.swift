// A predicate as docs/predicates.md describes it, close to how it is written: the oracle neither exchanges
// the sides of a comparison nor normalizes it.

/// A predicate that the oracle has parsed.
package indirect enum OraclePredicate: Sendable {
  /// TRUEPREDICATE or FALSEPREDICATE.
  case constant(Bool)
  /// NOT.
  case not(OraclePredicate)
  /// AND.
  case both(OraclePredicate, OraclePredicate)
  /// OR.
  case either(OraclePredicate, OraclePredicate)
  /// `self CONTAINS`.
  case words(String)
  /// A comparison of the distance from a location with a number of metres.
  case distance(OracleField, from: OracleValue, OracleSign, metres: OracleValue)
  /// A field compared with an operand.
  case comparison(OracleComparison)

  /// The comparisons in the predicate, each as a predicate.
  package var terms: [OraclePredicate] {
    switch self {
    case .not(let operand): operand.terms
    case .both(let left, let right), .either(let left, let right): left.terms + right.terms
    case .constant, .words, .distance, .comparison: [self]
    }
  }

  /// The quantifier, operator and options of a comparison, as in `NONE ==[c]`; empty for anything else.
  package var form: String {
    switch self {
    case .constant, .not, .both, .either: ""
    case .words: "SELF CONTAINS"
    case .distance(_, _, let sign, _): "distance \(sign.rawValue)"
    case .comparison(let comparison): comparison.form
    }
  }
}

/// An operator between a field and its operand.
package enum OracleSign: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case between = "BETWEEN"
  case isIn = "IN"
  case contains = "CONTAINS"
  case begins = "BEGINSWITH"
  case ends = "ENDSWITH"
  case like = "LIKE"

  /// The equivalent operator after the sides are exchanged.
  var turned: OracleSign {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}

/// Which elements of a field must satisfy a comparison.
package enum OracleQuantifier: String, Sendable {
  case whole = ""
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

/// A field that a predicate names.
package enum OracleField: Sendable {
  /// A field of the record.
  case own(String)
  /// A part of each entry of a field.
  case part(String, String)
  /// A system field.
  case system(String)
}

/// The right side of a comparison, or the left side of a reversed one.
package enum OracleOperand: Sendable {
  /// A value, which may be a list in braces.
  case value(OracleValue)
  /// `nil`.
  case absence
  /// `now()`.
  case now
}

/// A field, an operator and an operand.
package struct OracleComparison: Sendable {
  var quantifier = OracleQuantifier.whole
  var field: OracleField
  var sign: OracleSign
  /// Whether the operand is on the left.
  var isReversed = false
  var ignoresCase = false
  var ignoresMarks = false
  var operand: OracleOperand

  var form: String {
    let options = (ignoresCase ? "c" : "") + (ignoresMarks ? "d" : "")
    let name = isReversed && sign == .isIn ? "value IN" : sign.rawValue
    let sign = options.isEmpty ? name : "\(name)[\(options)]"
    return quantifier == .whole ? sign : "\(quantifier.rawValue) \(sign)"
  }
}
