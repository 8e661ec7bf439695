import PredicateWorld
import Records
import Testing

@Suite("B1 recognizing the only encoding of a record")
struct CanonicalScanTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `a record that was encoded here is recognized, unless it has a value of a later version`(
    seed: UInt64
  ) throws {
    var random = RandomValues(seed: seed)
    let fields = random.fields()
    let record = EncodedRecord(fields)
    #expect(
      record.isCanonical == !fields.all.contains { $0.value.isOfLaterVersion }, "seed \(seed)")
    #expect(try record.canonical() == record, "seed \(seed)")
  }

  @Test(
    arguments: [
      ("a superfluous byte of a length", [0x8A, 0, 0x0A, 1, 0x61, 0x12, 5, 0x0A, 3, 1, 2, 3]),
      ("the value before the key", [7, 0x12, 2, 0x20, 1, 0x0A, 1, 0x61]),
      ("a truth of 2", [7, 0x0A, 1, 0x61, 0x12, 2, 0x20, 2]),
      ("a superfluous byte of a number", [8, 0x0A, 1, 0x61, 0x12, 3, 0x10, 0x82, 0]),
      ("a part of a later version", [9, 0x0A, 1, 0x61, 0x12, 2, 0x20, 1, 0x18, 1]),
      ("two keys", [10, 0x0A, 1, 0x62, 0x0A, 1, 0x61, 0x12, 2, 0x20, 1]),
      ("a location without its zeros", [7, 0x0A, 1, 0x61, 0x12, 2, 0x3A, 0]),
      ("a reference without its action", [10, 0x0A, 1, 0x61, 0x12, 5, 0x42, 3, 0x0A, 1, 0x62]),
    ] as [(String, [UInt8])])
  func `another encoding of a valid record is replaced`(what: String, field: [UInt8]) throws {
    let record = EncodedRecord(stored: [0x0A] + field)
    #expect(!record.isCanonical, "\(what)")
    let only = EncodedRecord(try record.fields())
    #expect(try record.canonical() == only, "\(what)")
    #expect(only != record, "\(what)")
    #expect(only.isCanonical, "\(what)")
  }

  @Test(arguments: [
    ("keys out of order", ["b", "a"]), ("a key twice", ["a", "a"]), ("a digit first", ["1a"]),
    ("a key that is not ASCII", ["é"]), ("an empty key", [""]),
  ])
  func `keys that a record may not have are not recognized`(what: String, keys: [String]) {
    var writer = ByteWriter()
    writer.write(
      Fields(sorted: keys.map { .init(key: FieldKey(stored: $0), value: .boolean(true)) }),
      asField: 1)
    let record = EncodedRecord(stored: writer.bytes)
    #expect(!record.isCanonical, "\(what)")
    #expect(throws: RecordsError.self) { try record.canonical() }
  }

  @Test(arguments: [1, 32, 33])
  func `any number of entries keeps its bytes, and an id that repeats is rejected`(count: Int)
    throws
  {
    var entries = (0..<count).map {
      Entry(id: EntryID(UInt128($0)), position: Position(stored: "V"), fields: ["v": .string("x")])
    }
    let record = EncodedRecord(["a": .entries(entries)])
    #expect(record.isCanonical == (count <= 32))
    #expect(try record.canonical() == record)
    entries[0] = Entry(id: EntryID(UInt128(count)), position: Position(stored: ""), fields: [:])
    let doubled = EncodedRecord(["a": .entries(entries + [entries[0]])])
    #expect(!doubled.isCanonical)
    #expect(throws: RecordsError.self) { try doubled.canonical() }
  }

  @Test func `a text that is not UTF-8 and a number that is not finite are rejected`() {
    for value in [[0x0A, 0x01, 0xFF], [0x19, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F]] as [[UInt8]] {
      var writer = ByteWriter()
      writer.write(["a": .unknown(value)], asField: 1)
      let record = EncodedRecord(stored: writer.bytes)
      #expect(!record.isCanonical)
      #expect(throws: RecordsError.self) { try record.canonical() }
    }
  }
}

extension Value {
  fileprivate var isOfLaterVersion: Bool {
    switch self {
    case .unknown: true
    case .list(let values): values.contains { $0.isOfLaterVersion }
    case .entries(let entries):
      entries.contains { $0.fields.all.contains { $0.value.isOfLaterVersion } }
    default: false
    }
  }
}
