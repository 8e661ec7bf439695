import Records

/// The position between two pages of a query: the sort position of the last record of a page, and the
/// query's fingerprint. Cursors are opaque to clients, and validated when a client returns one.
package struct QueryCursor: Hashable, Sendable {
  let fingerprint: UInt64
  let position: SortPosition

  init(_ query: RecordQuery, after position: SortPosition) {
    fingerprint = query.fingerprint
    self.position = position
  }

  /// The name of the last record. In a query without sort keys, no record with a smaller name follows.
  package var name: RecordName { position.name }

  /// The last record's key of the first sort field; `nil` in a query without sort keys.
  package var firstKey: IndexKey? { position.values.first.map { IndexKey($0) } }

  /// The cursor as bytes.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.field(1, varint: fingerprint)
    writer.field(2, string: position.name.text)
    writer.field(4, bytes: position.zone.owner.bytes + position.zone.name.bytes)
    for value in position.values {
      writer.field(3) { (writer: inout ByteWriter) in
        if let value { writer.write(["value": value], asField: 1) }
      }
    }
    return writer.bytes
  }

  /// Decodes a cursor of `query`.
  /// - Throws: `invalidArguments` if the bytes are invalid or the cursor of another query.
  package init(bytes: [UInt8], of query: RecordQuery) throws(RecordsError) {
    var reader = ByteReader(bytes[...])
    var fingerprint: UInt64?
    var name: RecordName?
    var zone: ZoneID?
    var values: [Value?] = []
    while let part = try reader.next() {
      switch part.number {
      case 1: fingerprint = try part.payload.unsigned()
      case 2: name = try RecordName(received: part.payload.text())
      case 3:
        let fields = try EncodedRecord(stored: Array(part.payload.slice())).fields()
        values.append(fields["value"])
      case 4: zone = ZoneID(bytes: try part.payload.slice())
      default: break
      }
    }
    guard let name, let zone, let fingerprint else { throw Self.cursorOfAnotherQuery }
    self.fingerprint = fingerprint
    position = SortPosition(values: values, name: name, zone: zone)
    try validate(for: query)
  }

  /// Checks that the cursor is one of `query`.
  /// - Throws: `invalidArguments` if it is not.
  package func validate(for query: RecordQuery) throws(RecordsError) {
    guard fingerprint == query.fingerprint, position.values.count == query.sort.count else {
      throw Self.cursorOfAnotherQuery
    }
  }

  private static var cursorOfAnotherQuery: RecordsError {
    RecordsError(
      .invalidArguments, "The cursor belongs to another query.",
      hint: "Repeat the query from its first page.")
  }
}

extension ZoneID {
  /// Decodes owner and name, sixteen bytes each.
  fileprivate init?(bytes: ArraySlice<UInt8>) {
    guard bytes.count == 32, let owner = AccountID(bytes: bytes.prefix(16)),
      let name = ZoneName(bytes: bytes.suffix(16))
    else { return nil }
    self.init(owner: owner, name: name)
  }
}
