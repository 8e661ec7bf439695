// A comparison is one term of a predicate: a field, a relation and a constant.

import Records

/// A comparison of a field, or of its elements, with a constant.
package struct Comparison: Hashable, Sendable {
  /// The elements that must satisfy the relation.
  package var quantifier: Quantifier
  /// The field that is compared.
  package var path: FieldPath
  /// The relation between the field and the operand.
  package var relation: Relation
  /// The differences between texts that are ignored.
  package var options: TextOptions
  /// The constant that the field is compared with.
  package var operand: Operand

  package init(
    _ path: FieldPath, _ relation: Relation, _ operand: Operand,
    quantifier: Quantifier = .whole, options: TextOptions = []
  ) {
    self.quantifier = quantifier
    self.path = path
    self.relation = relation
    self.options = options
    self.operand = operand
  }

  /// The right side of a comparison.
  package enum Operand: Hashable, Sendable {
    /// `nil`: the absence of the field.
    case nothing
    /// One value. It is a list only if complete lists are compared.
    case value(Value)
    /// The values of `IN`, or the two bounds of `BETWEEN`.
    case values([Value])
    /// `now()`, the time of the query.
    case now
  }
}

/// The elements of a field that must satisfy a relation.
package enum Quantifier: UInt8, Hashable, Sendable, CaseIterable {
  /// The field's value itself, not its elements.
  case whole
  /// At least one element. False for a missing field.
  case any
  /// Every element. True for an empty list, false for a missing field.
  case all
  /// The negation of `any`: true for an empty list and for a missing field.
  case none
}

/// A relation between a field and an operand.
package enum Relation: UInt8, Hashable, Sendable, CaseIterable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case between, `in`, contains, beginsWith, endsWith, like

  /// The operator in the text of a predicate.
  package var text: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .between: "BETWEEN"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .like: "LIKE"
    }
  }

  /// The relation with its sides exchanged: `5 < age` is `age > 5`. `nil` if the sides cannot be
  /// exchanged. This is not a negation and does not affect missing fields.
  var mirrored: Relation? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .in: .contains
    case .between, .contains, .beginsWith, .endsWith, .like: nil
    }
  }

  /// Whether the relation depends on the order of values.
  var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
    case .equal, .notEqual, .in, .contains, .beginsWith, .endsWith, .like: false
    }
  }
}

/// The value that a comparison reads.
package enum FieldPath: Hashable, Sendable {
  /// A field of the record.
  case field(FieldKey)
  /// A field of each entry of a field, such as `phones.value`.
  case entry(FieldKey, FieldKey)
  /// A field that the broker sets.
  case system(SystemField)

  /// Whether the broker sets the field.
  package var isSystem: Bool {
    if case .system = self { true } else { false }
  }
}

/// A field that the broker sets in every record.
package enum SystemField: UInt8, Hashable, Sendable, CaseIterable {
  /// The record's name, compared as a reference to the record itself.
  case recordID
  /// The time of creation.
  case creationDate
  /// The time of the last change.
  case modificationDate
  /// A reference to the account that created the record.
  case creatorUserRecordID
  /// A reference to the account that last changed the record.
  case lastModifiedUserRecordID

  /// The name in the text of a predicate.
  package var text: String {
    switch self {
    case .recordID: "recordID"
    case .creationDate: "creationDate"
    case .modificationDate: "modificationDate"
    case .creatorUserRecordID: "creatorUserRecordID"
    case .lastModifiedUserRecordID: "lastModifiedUserRecordID"
    }
  }

  /// Whether the field is a date; otherwise it is a reference.
  package var isDate: Bool {
    switch self {
    case .creationDate, .modificationDate: true
    case .recordID, .creatorUserRecordID, .lastModifiedUserRecordID: false
    }
  }
}
