// Conflicts as records.

import Records
import SyncCore
import Testing

@Suite("Conflicts are records")
struct ConflictTests {
  private let conflict = Conflict(
    record: RecordName(stored: "r"), type: RecordType(stored: "Contact"), kind: .deletedHere)

  @Test func `a conflict reads back as it was written`() throws {
    let merge = Merge(
      ancestor: ["a": .string("1")], theirs: ["a": .string("2")], mine: ["a": .string("3")])
    let loss = try #require(merge.losses.first)
    let written = Conflict(
      record: RecordName(stored: "r"), type: RecordType(stored: "Contact"), loss: loss)
    let time = Timestamp(microseconds: 5)
    #expect(Conflict(written.fields(found: time)) == written)
    #expect(Conflict.found(written.fields(found: time)) == time)
  }

  @Test func `two devices that find the same conflict name it the same, others differently`() {
    let same = Conflict(
      record: RecordName(stored: "r"), type: RecordType(stored: "Contact"), kind: .deletedHere)
    let other = Conflict(
      record: RecordName(stored: "s"), type: RecordType(stored: "Contact"), kind: .deletedHere)
    #expect(conflict.name == same.name)
    #expect(conflict.name != other.name)
  }

  @Test func `what is no conflict is not taken for one`() {
    #expect(Conflict(["record": .string("r")]) == nil)
  }
}
