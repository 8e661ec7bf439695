import Records

/// Fields of a record with what the device needs several times when it stores them.
package struct EncodedFields: Hashable, Sendable {
  /// The fields.
  package let fields: Fields
  /// Their encoding.
  let record: EncodedRecord
  /// The files to which they refer; see `Fields.assets`.
  let assets: [Asset]

  /// Encodes fields.
  package init(_ fields: Fields) {
    self.fields = fields
    record = EncodedRecord(fields)
    assets = fields.assets
  }

  /// Whether these are the encoded fields. Cheap if they are, because equal fields are usually the same array.
  func isOf(_ fields: Fields?) -> Bool { self.fields == fields }
}
