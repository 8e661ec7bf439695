// What an emptied trash takes from a device, and what it spares: a record made again under a name is
// another record, and its notification may be here before it is.

import DeviceRoom
import GRDB
import Records
import SQLiteFile
import Testing

@testable import DeviceStore

@Suite("C3, I10, I16 what is kept of deleted records")
struct PastTableTests {
  private let room = Room()
  private let ann: Fields = ["firstName": .string("Ann")]
  private let name = RecordName(stored: "a")

  /// A phone that received a record which was created at revision 1, deleted at 2, created again at 3 and deleted
  /// at 4.
  private func phone() throws -> TestDevice {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try phone.subscribe(SubscriptionTests.form("s"))
    for _ in 0..<2 {
      try laptop.save("a", ann)
      try laptop.delete("a")
    }
    #expect(try tags(phone) == [1, 2, 3, 4])
    return phone
  }

  /// The tags that notifications name.
  private func tags(_ device: TestDevice) throws -> [Int64] {
    try device.reader.notifications(after: 0, limit: 9).notifications.compactMap {
      $0.change?.tag.value
    }
  }

  /// Does something with what is kept of the standard group, erased through `revision` before.
  private func onPast(
    of device: TestDevice, erasedThrough revision: Int64,
    _ body: (PastTable, ZoneRow) throws -> Void
  ) throws {
    _ = try device.replica.transact(Room.now) { transaction, _ in
      var zone = try #require(try ZoneRow.load(transaction.db, .standard))
      zone.erasedThrough = Revision(revision)
      try body(PastTable(transaction), zone)
      return []
    }
  }

  @Test func `an emptied trash takes the notifications up to where it was emptied`() throws {
    let phone = try phone()
    // As where a later state is known and not shown, because the record is on its way to another group.
    try phone.lowerTrash(to: 2)
    try onPast(of: phone, erasedThrough: 2) { past, zone in
      try past.eraseDeleted(in: zone, through: Revision(2))
    }
    #expect(try tags(phone) == [3, 4])
  }

  @Test func `a deletion that came too late spares the notification of the one that came first`()
    throws
  {
    let phone = try phone()
    // The device was to delete it as well; the broker answered that there was none.
    try onPast(of: phone, erasedThrough: 3) { past, zone in
      try past.deletedBefore(name, in: zone, known: nil)
    }
    #expect(try tags(phone) == [1, 2, 3, 4])
    try onPast(of: phone, erasedThrough: 4) { past, zone in
      try past.deletedBefore(name, in: zone, known: nil)
    }
    #expect(try tags(phone).isEmpty)
  }

  @Test func `a notification that came before its record stays, though no version is known`() throws
  {
    let phone = try phone()
    try onPast(of: phone, erasedThrough: 3) { past, zone in
      try past.transaction.db.run("DELETE FROM past")
      try past.transaction.db.run("DELETE FROM trash")
      var zone = zone
      zone.token = ChangeToken(
        incarnation: try #require(zone.token?.incarnation), revision: Revision(2),
        scanStart: .zero)
      try past.erase(name, in: zone)
    }
    #expect(try tags(phone) == [4])
  }

  @Test func `an erased record leaves no edit that could be undone, and others keep theirs`() throws
  {
    let laptop = try TestDevice(room, "laptop")
    for name in ["a", "b", "it's \"é\" / \\"] { try laptop.save(name, ann) }
    for name in ["a", "it's \"é\" / \\"] { try laptop.delete(name) }
    let erased = try laptop.count(of: "DELETE FROM action_edit") {
      try onPast(of: laptop, erasedThrough: 0) { past, zone in
        try past.erase(name, in: zone)
        try past.erase(RecordName(stored: "it's \"é\" / \\"), in: zone)
      }
    }
    #expect(erased == 1)
    #expect(try laptop.editedNames() == ["b"])
  }
}

extension TestDevice {
  /// The records of the edits in the log of actions.
  fileprivate func editedNames() throws -> [String] {
    try replica.database.read { db in
      try db.rows("SELECT name FROM action_edit ORDER BY action, ordinal").map { $0[0] }
    }
  }

  /// What lies in the trash was deleted at `tag`, as far as the trash knows.
  fileprivate func lowerTrash(to tag: Int64) throws {
    _ = try replica.transact(Room.now) { transaction, _ in
      try transaction.db.run("UPDATE trash SET tag = ?", [tag])
      return []
    }
  }
}
