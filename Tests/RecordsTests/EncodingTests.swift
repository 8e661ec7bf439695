import Records
import Testing

@Suite("B1 the encoding of records")
struct EncodingTests {
  @Test func `equal fields have equal bytes`() {
    let one = Fields([("b", .int64(1)), ("a", .string("x"))])
    let other = Fields([("a", .string("x")), ("b", .int64(1))])
    #expect(EncodedRecord(one) == EncodedRecord(other))
    #expect(EncodedRecord(Fields()) == .empty)
  }

  @Test(arguments: [0, 1, 127, 128, 300, 16_384, 1_000_000])
  func `a text of any length is decoded from its encoding`(count: Int) throws {
    let fields: Fields = ["a": .string(String(repeating: "x", count: count)), "b": .int64(-1)]
    #expect(try EncodedRecord(fields).fields() == fields)
  }

  @Test func `an unknown kind of value is encoded unchanged`() throws {
    let later: [UInt8] = [0x7A, 0x02, 0x01, 0x02]
    let fields: Fields = ["a": .unknown(later), "b": .list([.unknown(later)])]
    let record = EncodedRecord(fields)
    #expect(try EncodedRecord(record.fields()) == record)
    #expect(try record.fields()["a"] == .unknown(later))
  }

  @Test func `an unknown part of a record is rejected, not dropped`() throws {
    let record = EncodedRecord(stored: [0x10, 0x01])
    let error = try #require(throws: RecordsError.self) { try record.fields() }
    #expect(error.code == .incompatibleVersion)
  }

  @Test(arguments: [["b", "a"], ["a", "a"]])
  func `unsorted or duplicate keys are rejected`(keys: [String]) {
    #expect(throws: RecordsError.self) { try record(keys: keys).fields() }
  }

  @Test(arguments: ["", "1", "å"])
  func `an invalid key is rejected`(key: String) {
    #expect(throws: RecordsError.self) { try record(keys: [key]).fields() }
  }

  @Test(
    arguments: [
      .double(.infinity), .double(.nan),
      .location(Location(latitudeDegrees: 91, longitudeDegrees: 0)),
      .location(Location(latitudeDegrees: 0, longitudeDegrees: -181)),
      .asset(Asset(digest: [1], sizeBytes: 1)),
      .reference(Reference(record: RecordName(stored: "_a"), action: .none)),
      .list([.list([])]), .list([.entries([])]),
      .entries([entry(1, ["a": .list([])])]), .entries([entry(1, ["a": .entries([])])]),
      .entries([entry(1, [:]), entry(1, [:])]),
    ] as [Value])
  func `an invalid value is rejected`(value: Value) throws {
    let error = try #require(throws: RecordsError.self) {
      try EncodedRecord(["key": value]).fields()
    }
    #expect(error.code == .invalidArguments)
  }

  @Test func `a record beyond a limit is rejected with limitExceeded`() throws {
    let many = Fields((0...Limits.fieldsPerRecord).map { (FieldKey(stored: "k\($0)"), .int64(0)) })
    let long = Value.list(Array(repeating: .boolean(true), count: Limits.valuesPerList + 1))
    let large = Value.bytes(Array(repeating: 0, count: Limits.recordBytes))
    for record in [EncodedRecord(many), EncodedRecord(["a": long]), EncodedRecord(["a": large])] {
      let error = try #require(throws: RecordsError.self) { try record.fields() }
      #expect(error.code == .limitExceeded)
    }
  }

  @Test func `text that is not UTF-8 is rejected`() {
    // Record{fields: Field{key: "a", value: Value{string: <0xFF>}}}
    let bytes: [UInt8] = [0x0A, 0x08, 0x0A, 0x01, 0x61, 0x12, 0x03, 0x0A, 0x01, 0xFF]
    #expect(throws: RecordsError.self) { try EncodedRecord(stored: bytes).fields() }
  }

  @Test func `a fingerprint depends on where the input is divided`() {
    var one = Fingerprint()
    one.add("ab")
    one.add("c")
    var other = Fingerprint()
    other.add("a")
    other.add("bc")
    #expect(one.value != other.value)
    #expect(Fingerprint().value != one.value)
  }

  private func record(keys: [String]) -> EncodedRecord {
    var writer = ByteWriter()
    for key in keys {
      writer.field(1) { (writer: inout ByteWriter) in
        writer.field(1, string: key)
        writer.field(2) { (writer: inout ByteWriter) in writer.write(.boolean(true)) }
      }
    }
    return EncodedRecord(stored: writer.bytes)
  }
}

private func entry(_ id: UInt128, _ fields: Fields) -> Entry {
  Entry(id: EntryID(id), position: Position(stored: "V"), fields: fields)
}
