// Encodes values as `message Value` and its parts in RecordsWire/records.proto.

extension ByteWriter {
  /// Writes each field as a `message Field` with the field number `number`.
  package mutating func write(_ fields: Fields, asField number: Int) {
    for field in fields.all {
      self.field(number) { (writer: inout ByteWriter) in
        writer.field(1, string: field.key.text)
        writer.field(2) { (writer: inout ByteWriter) in writer.write(field.value) }
      }
    }
  }

  /// Writes the content of a `message Value`.
  package mutating func write(_ value: Value) {
    switch value {
    case .string(let text): field(1, string: text)
    case .int64(let number): field(2, signed: number)
    case .double(let number): field(3, double: number)
    case .boolean(let flag): field(4, varint: flag ? 1 : 0)
    case .date(let time): field(5, signed: time.microseconds)
    case .bytes(let bytes): field(6, bytes: bytes)
    case .location(let location): field(7) { $0.write(location) }
    case .reference(let reference): field(8) { $0.write(reference) }
    case .asset(let asset): field(9) { $0.write(asset) }
    case .list(let values): field(10) { $0.write(values) }
    case .entries(let entries): field(11) { $0.write(entries) }
    case .unknown(let encoded): raw(encoded)
    }
  }

  private mutating func write(_ location: Location) {
    field(1, double: location.latitudeDegrees)
    field(2, double: location.longitudeDegrees)
  }

  private mutating func write(_ reference: Reference) {
    field(1, string: reference.record.text)
    field(2, varint: UInt64(reference.action.rawValue))
  }

  private mutating func write(_ asset: Asset) {
    field(1, bytes: asset.digest)
    field(2, varint: asset.sizeBytes)
  }

  private mutating func write(_ values: [Value]) {
    for value in values {
      field(1) { (writer: inout ByteWriter) in writer.write(value) }
    }
  }

  private mutating func write(_ entries: [Entry]) {
    for entry in entries {
      field(1) { (writer: inout ByteWriter) in
        writer.field(1, bytes: entry.id.bytes)
        writer.field(2, string: entry.position.text)
        writer.write(entry.fields, asField: 3)
      }
    }
  }
}
