// Conflicts as records.

import Records
import SyncCore
import Testing

@Suite("Conflicts are records")
struct ConflictRecordTests {
  private let conflict = ConflictRecord(
    record: RecordName(stored: "r"), type: RecordType(stored: "Contact"), kind: .deletedHere)

  @Test func `a conflict reads back as it was written`() throws {
    let merge = Merge(
      ancestor: ["a": .string("1")], theirs: ["a": .string("2")], mine: ["a": .string("3")])
    let loss = try #require(merge.losses.first)
    let (phone, laptop) = (
      ConflictRecord.Side.device(AccountID(1), DeviceID(2)),
      ConflictRecord.Side.device(AccountID(1), DeviceID(3))
    )
    let found = ConflictRecord(
      record: RecordName(stored: "r"), type: RecordType(stored: "Contact"), loss: loss,
      winner: laptop)
    let time = Timestamp(microseconds: 5)
    let fields = found.fields(found: time, finder: phone)
    let expected = ConflictRecord(
      record: RecordName(stored: "r"), type: RecordType(stored: "Contact"), loss: loss,
      loser: phone, winner: laptop)
    #expect(ConflictRecord(fields) == expected)
    #expect(expected.name == found.name)
    #expect(ConflictRecord.found(fields) == time)
  }

  @Test(arguments: ConflictRecord.Kind.allCases)
  func `each device's own value is its own, whichever stayed`(kind: ConflictRecord.Kind) throws {
    let other = ConflictRecord.Side.device(AccountID(1), DeviceID(3))
    let found = ConflictRecord(
      record: RecordName(stored: "r"), type: RecordType(stored: "Contact"), kind: kind,
      other: other)
    let finder = ConflictRecord.Side.device(AccountID(1), DeviceID(2))
    let conflict = try #require(
      ConflictRecord(found.fields(found: Timestamp(microseconds: 5), finder: finder)))
    let finders: ConflictRecord.Value = kind == .deletedThere ? .winning : .losing
    #expect(conflict.value(ofDevice: DeviceID(2)) == finders)
    #expect(conflict.value(ofDevice: DeviceID(3)) == finders.other)
    #expect(conflict.value(ofDevice: DeviceID(4)) == finders, "a third device takes the finder's")
    let old = ConflictRecord(
      record: RecordName(stored: "r"), type: RecordType(stored: "Contact"), kind: kind)
    let unnamed = try #require(ConflictRecord(old.fields(found: Timestamp(microseconds: 5))))
    #expect(unnamed.value(ofDevice: DeviceID(3)) == finders)
  }

  @Test func `two devices that find the same conflict name it the same, others differently`() {
    let same = ConflictRecord(
      record: RecordName(stored: "r"), type: RecordType(stored: "Contact"), kind: .deletedHere)
    let other = ConflictRecord(
      record: RecordName(stored: "s"), type: RecordType(stored: "Contact"), kind: .deletedHere)
    #expect(conflict.name == same.name)
    #expect(conflict.name != other.name)
  }

  @Test func `what is no conflict is not taken for one`() {
    #expect(ConflictRecord(["record": .string("r")]) == nil)
  }
}
