import Records
import Testing

@Suite("B2 decoding fields")
struct FieldsDecoderTests {
  private static func entries(_ ids: [UInt128]) -> EncodedRecord {
    let entries = ids.map {
      Entry(id: EntryID($0), position: Position(stored: "h"), fields: ["value": .string("1")])
    }
    return EncodedRecord(stored: PlainCodec.record(["phones": .entries(entries)]))
  }

  @Test(arguments: [0, 1, 2, 7, 8, 9, 10, 40])
  func `entries have different ids, however many there are`(count: UInt128) throws {
    let ids = Array(1...(count + 1))
    let record = Self.entries(ids)
    guard case .entries(let read) = try record.fields()["phones"] else {
      Issue.record("no entries")
      return
    }
    #expect(read.map(\.id.value) == ids)
    for repeated in ids {
      #expect(throws: RecordsError.self) { try Self.entries(ids + [repeated]).fields() }
    }
  }

  @Test func `a value is decoded in place as it is from a copy`() throws {
    let encoded = PlainCodec.value(.list([.string("é"), .int64(-3), .bytes([1, 2])]))
    let value = try encoded.withUnsafeBufferPointer { try Value(encoded: $0) }
    #expect(try value == Value(encoded: encoded))
    #expect(value == .list([.string("é"), .int64(-3), .bytes([1, 2])]))
  }
}
