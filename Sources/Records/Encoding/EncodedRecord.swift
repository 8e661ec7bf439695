// A record's fields as bytes, which are stored and sent without being decoded. The format is
// `message Record` of RecordsWire/records.proto. Fields are sorted by key and unique, so equal
// records have equal bytes.

/// The encoded form of a record's fields.
package struct EncodedRecord: Hashable, Sendable {
  /// A serialized `message Record`.
  package let bytes: [UInt8]

  /// Wraps bytes that were validated before they were stored.
  package init(stored bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Encodes `fields`.
  package init(_ fields: Fields) {
    var writer = ByteWriter(reservingBytes: 64 * fields.all.count)
    writer.write(fields, asField: 1)
    bytes = writer.bytes
  }

  /// A record without fields, as in a tombstone.
  package static let empty = EncodedRecord(stored: [])

  /// Decodes the fields. Costs about 0.2 µs per field.
  /// - Throws: `invalidArguments` or `limitExceeded` if the bytes are not a valid record.
  package func fields() throws(RecordsError) -> Fields {
    guard bytes.count <= Limits.recordBytes else {
      throw .limit("Bytes of a record", limit: Limits.recordBytes, actual: bytes.count)
    }
    return try bytes.withUnsafeBufferPointer { bytes throws(RecordsError) in
      var decoder = FieldsDecoder()
      var reader = WireReader(bytes)
      while let field = try reader.next() {
        // A later protocol version may add more than fields to a record. Reject it here, because
        // merging and encoding the record again would silently drop the addition.
        guard field.number == 1 else {
          throw RecordsError(
            .incompatibleVersion, "The record has a part that this version does not support.",
            hint: "Update the program that reads it.")
        }
        try decoder.add(try field.payload.content())
      }
      return decoder.fields
    }
  }
}
