// Reading some fields of a record gives what reading all of them gives.

import PredicateWorld
import Records
import Testing

@testable import DeviceStore

@Suite("C1 reading some fields of a record")
struct FieldSelectionTests {
  private static let keys: [FieldKey] = [
    "emails", "firstName", "lastName", "note", "phones", "photo",
  ]

  private static let texts = [
    "", "Ada", "李", "e\u{301}", "\0\n", String(repeating: "long ", count: 60),
  ]

  private static func fields(_ random: inout SeededGenerator) -> Fields {
    var fields = Fields()
    for key in keys where random.percent(70) {
      fields[key] =
        switch random.below(5) {
        case 0: .string(random.one(of: texts))
        case 1: .int64(Int64(random.below(1000)) - 500)
        case 2: .bytes(Array(repeating: 7, count: random.below(300)))
        case 3: .list([.string(""), .boolean(true)])
        default:
          .entries([
            Entry(
              id: EntryID(1), position: Position(stored: "h"),
              fields: ["value": .string(random.one(of: texts))])
          ])
        }
    }
    return fields
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `selected fields are those of the whole record`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fields = Self.fields(&random)
    let record = EncodedRecord(fields)
    let selected = Set((Self.keys + ["other"]).filter { _ in random.percent(40) })
    let expected = fields.all.filter { selected.contains($0.key) }
    #expect(try FieldSelection(selected).fields(of: record).all == expected, "seed \(seed)")
    #expect(try FieldSelection(Set(Self.keys)).fields(of: record) == fields, "seed \(seed)")
    #expect(try FieldSelection([]).fields(of: record).isEmpty)
  }

  @Test func `a field whose value precedes its key, or whose length is written long, is read too`()
    throws
  {
    let bytes = EncodedRecord(["note": .string("text"), "other": .string("x")]).bytes
    // The tag and length of the field, of its key and of its value.
    let (key, value) = (Array(bytes[2..<8]), Array(bytes[8..<16]))
    let swapped = EncodedRecord(stored: Array(bytes[0..<2]) + value + key + Array(bytes[16...]))
    #expect(try FieldSelection(["note"]).fields(of: swapped) == ["note": .string("text")])
    let long = [bytes[0], bytes[1] | 0x80, 0] + Array(bytes[2...])
    #expect(
      try FieldSelection(["note"]).fields(of: EncodedRecord(stored: long))
        == ["note": .string("text")])
  }

  @Test func `a damaged record is an error`() {
    let bytes = EncodedRecord(["note": .string("text")]).bytes
    for count in 1..<bytes.count {
      let damaged = EncodedRecord(stored: Array(bytes.prefix(count)))
      #expect(throws: RecordsError.self) { try FieldSelection(["note"]).fields(of: damaged) }
    }
  }
}
