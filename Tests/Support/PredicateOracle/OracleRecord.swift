// Records in the oracle's own representation. The target imports nothing of the project, so the oracle cannot
// share code with the evaluator that it checks. It follows docs/predicates.md only.

/// A record: its own fields and its system fields.
package struct OracleRecord: Sendable {
  /// The fields by name.
  package var fields: [String: OracleValue]
  /// `recordID`, `creationDate` and the other system fields.
  package var system: [String: OracleValue]

  /// The names of the system fields.
  package static let systemNames = [
    "recordID", "creationDate", "modificationDate", "creatorUserRecordID",
    "lastModifiedUserRecordID",
  ]

  package init(fields: [String: OracleValue], system: [String: OracleValue]) {
    self.fields = fields
    self.system = system
  }
}

/// A value of a field or of a predicate.
package indirect enum OracleValue: Sendable {
  /// A text, compared by its scalars.
  case text(String)
  /// A whole number.
  case whole(Int64)
  /// A finite real number.
  case real(Double)
  /// A boolean.
  case boolean(Bool)
  /// A time in microseconds since 1970.
  case moment(Int64)
  /// Bytes.
  case bytes([UInt8])
  /// Degrees of latitude and longitude.
  case place(Double, Double)
  /// The name of a record.
  case reference(String)
  /// The digest and the size of a file.
  case asset([UInt8], UInt64)
  /// Values in order.
  case list([OracleValue])
  /// Entries: their parts by name.
  case entries([[String: OracleValue]])
  /// A kind of value that a later version adds; no predicate matches it.
  case foreign([UInt8])
}
