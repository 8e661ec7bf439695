// Where a query goes on: the place of the last record handed out, and a mark of the query it belongs
// to. Opaque to whoever carries it; checked when it comes back, as anything from outside.

import Records

/// A place between two pages of a query.
package struct QueryCursor: Hashable, Sendable {
  let fingerprint: UInt64
  let place: SortPlace

  init(_ query: RecordQuery, after place: SortPlace) {
    fingerprint = query.fingerprint
    self.place = place
  }

  /// The name of the last record: where no sort is asked for, no record of an earlier name follows.
  package var name: RecordName { place.name }

  /// The key of the last record in the order of the first sort key; `nil` where no sort is asked for.
  package var firstKey: IndexKey? { place.values.first.map { IndexKey($0) } }

  /// The cursor as bytes.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.field(1, varint: fingerprint)
    writer.field(2, string: place.name.text)
    writer.field(4, bytes: place.zone.owner.bytes + place.zone.name.bytes)
    for value in place.values {
      writer.field(3) { (writer: inout ByteWriter) in
        if let value { writer.write(["value": value], asField: 1) }
      }
    }
    return writer.bytes
  }

  /// Reads a cursor that belongs to `query`.
  /// - Throws: `invalidArguments` where the bytes are none, or another query's.
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
    guard let name, let zone, fingerprint == query.fingerprint, values.count == query.sort.count
    else {
      throw RecordsError(
        .invalidArguments, "The cursor belongs to another query.",
        hint: "Ask again from the start.")
    }
    self.fingerprint = query.fingerprint
    place = SortPlace(values: values, name: name, zone: zone)
  }
}

extension ZoneID {
  /// Reads owner and name, sixteen bytes each.
  fileprivate init?(bytes: ArraySlice<UInt8>) {
    guard bytes.count == 32, let owner = AccountID(bytes: bytes.prefix(16)),
      let name = ZoneName(bytes: bytes.suffix(16))
    else { return nil }
    self.init(owner: owner, name: name)
  }
}
