import Records
import SyncCore
import Testing

@testable import DeviceStore

struct EditedRecordsTests {
  private func row(_ name: String, in zone: Int64 = 1, byteCount: Int = 1) -> RecordRow {
    var row = RecordRow(
      newIn: zone, name: RecordName(stored: name), type: RecordType(stored: "Contact"),
      now: Timestamp(microseconds: 0))
    row.layers.shown = ["note": .string(String(repeating: "n", count: byteCount))]
    return row
  }

  @Test func `a record is returned once, as it was edited last`() {
    var records = EditedRecords()
    records.note(row("a"))
    records.note(row("a", byteCount: 2))
    let name = RecordName(stored: "a")
    #expect(records.take(name, in: 1)?.layers.shown == ["note": .string("nn")])
    #expect(records.take(name, in: 1) == nil)
  }

  @Test func `records of a deleted zone, and those that are written otherwise, are forgotten`() {
    var records = EditedRecords()
    records.note(row("a"))
    records.note(row("b"))
    records.note(row("a", in: 2))
    records.forget(zone: 2)
    records.forget(RecordName(stored: "b"), in: 1)
    #expect(records.take(RecordName(stored: "a"), in: 2) == nil)
    #expect(records.take(RecordName(stored: "b"), in: 1) == nil)
    #expect(records.take(RecordName(stored: "a"), in: 1) != nil)
  }

  @Test func `large records are read again instead of being held in memory`() {
    var records = EditedRecords()
    for number in 0..<10 { records.note(row("r\(number)", byteCount: 1 << 20)) }
    let held = (0..<10).count { records.take(RecordName(stored: "r\($0)"), in: 1) != nil }
    #expect(held == 3)
  }
}
