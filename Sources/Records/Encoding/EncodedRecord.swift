// A record's fields as bytes: what is stored, sent and fed without being opened. The form is
// `message Record` of RecordsWire/records.proto; fields are sorted by key and unique, so equal
// records have equal bytes.

/// The closed form of a record's fields.
package struct EncodedRecord: Hashable, Sendable {
  /// The encoding of `message Record`.
  package let bytes: [UInt8]

  /// Takes bytes that were checked before, when they were stored.
  package init(stored bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Encodes `fields`.
  package init(_ fields: Fields) {
    var writer = ByteWriter(reservingBytes: 64 * fields.all.count)
    writer.write(fields, asField: 1)
    bytes = writer.bytes
  }

  /// No fields: what a tombstone carries.
  package static let empty = EncodedRecord(stored: [])

  /// The fields.
  /// - Throws: `invalidArguments` or `limitExceeded` with a sentence when the bytes are not a
  ///   record. Costs about 0.2 µs a field.
  package func fields() throws(RecordsError) -> Fields {
    guard bytes.count <= Limits.recordBytes else {
      throw .limit("Bytes of a record", limit: Limits.recordBytes, actual: bytes.count)
    }
    var decoder = FieldsDecoder()
    var reader = ByteReader(bytes[...])
    while let field = try reader.next() {
      // A later protocol may add more to a record than fields; refusing it here keeps us from
      // dropping that silently when the record is merged and written again.
      guard field.number == 1 else {
        throw RecordsError(
          .incompatibleVersion, "The record has a part this version does not know.",
          hint: "Update the program that reads it.")
      }
      try decoder.add(try field.payload.slice())
    }
    return decoder.fields
  }
}
