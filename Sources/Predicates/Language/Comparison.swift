// One term of a predicate: a field, how it is compared, and with what.

import Records

/// A field, or the elements of one, compared with a value that the predicate brings along.
package struct Comparison: Hashable, Sendable {
  /// Which elements of a list have to fit.
  package var quantifier: Quantifier
  /// What is compared.
  package var path: FieldPath
  /// How.
  package var relation: Relation
  /// Which differences between texts do not count.
  package var options: TextOptions
  /// With what.
  package var operand: Operand

  /// A term of these parts.
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

  /// What a field is compared with.
  package enum Operand: Hashable, Sendable {
    /// `nil`: the field's absence.
    case nothing
    /// One value; a list only where lists are compared as wholes.
    case value(Value)
    /// The values of `IN`, or the two bounds of `BETWEEN`.
    case values([Value])
    /// `now()`, the moment a query is run.
    case now
  }
}

/// Which elements of a list have to fit.
package enum Quantifier: UInt8, Hashable, Sendable, CaseIterable {
  /// The field is compared as it is.
  case whole
  /// At least one element fits; of a missing field none does.
  case any
  /// Every element fits; true of an empty list, false of a missing field.
  case all
  /// Not `any`: true of an empty list and of a missing field.
  case none
}

/// How a field is compared with an operand.
package enum Relation: UInt8, Hashable, Sendable, CaseIterable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case between, `in`, contains, beginsWith, endsWith, like

  /// As it is printed.
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

  /// The relation with its two sides exchanged: `5 < age` is `age > 5`. `nil` where the sides are
  /// not alike. This is not a negation and changes nothing for missing fields.
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

  /// Whether it asks which of two values comes first.
  var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
    case .equal, .notEqual, .in, .contains, .beginsWith, .endsWith, .like: false
    }
  }
}

/// What a comparison looks at.
package enum FieldPath: Hashable, Sendable {
  /// A field of the record.
  case field(FieldKey)
  /// A scalar of each entry of a field: `phones.value`.
  case entry(FieldKey, FieldKey)
  /// What the broker says about the record.
  case system(SystemField)
}

/// What the broker says about every record.
package enum SystemField: UInt8, Hashable, Sendable, CaseIterable {
  /// The record itself, as a reference: its name.
  case recordID
  /// When it was made.
  case creationDate
  /// When it was last changed.
  case modificationDate
  /// The account that made it, as a reference.
  case creatorUserRecordID
  /// The account that last changed it, as a reference.
  case lastModifiedUserRecordID

  /// As it is written.
  package var text: String {
    switch self {
    case .recordID: "recordID"
    case .creationDate: "creationDate"
    case .modificationDate: "modificationDate"
    case .creatorUserRecordID: "creatorUserRecordID"
    case .lastModifiedUserRecordID: "lastModifiedUserRecordID"
    }
  }

  /// Whether it holds a moment; otherwise it holds a reference.
  package var isDate: Bool {
    switch self {
    case .creationDate, .modificationDate: true
    case .recordID, .creatorUserRecordID, .lastModifiedUserRecordID: false
    }
  }
}
