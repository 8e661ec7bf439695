import Records

/// Fields of a record with their encoding.
package struct EncodedFields: Hashable, Sendable {
  /// The fields.
  package let fields: Fields
  /// Their encoding.
  let record: EncodedRecord

  /// Encodes fields.
  package init(_ fields: Fields) {
    self.fields = fields
    record = EncodedRecord(fields)
  }
}
