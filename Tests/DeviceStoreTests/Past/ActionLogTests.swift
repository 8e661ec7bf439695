// How many records and groups an action edited. An import has 100,000 edits, so they are counted when they are
// written, not when actions are listed.

import AddressBook
import DeviceRoom
import GRDB
import Records
import SQLiteFile
import SyncCore
import Testing

@testable import DeviceStore

@Suite("C7 the log of actions")
struct ActionLogTests {
  private let room = Room()

  private func counts(_ device: TestDevice) throws -> [Int] {
    try device.reader.actions(limit: 10).map(\.edits)
  }

  /// Saves contacts as another part of the action `number`.
  private func importing(
    _ names: [String], company: String, on device: TestDevice, continuing number: Int64?
  ) throws -> Int64? {
    let edits = names.map {
      LocalEdit.save(TestDevice.contact($0, ["company": .string(company)]))
    }
    let (same, actions) = try device.replica.perform(
      edits, as: UserAction(.import, continuing: number), isAsked: false, now: Room.now)
    try device.perform(actions)
    return same
  }

  @Test func `a record that several parts of an action edit counts once`() throws {
    let laptop = try TestDevice(room, "laptop")
    let number = try importing(["a", "b"], company: "One", on: laptop, continuing: nil)
    #expect(try counts(laptop) == [2])
    let same = try importing(["b", "c", "c"], company: "Two", on: laptop, continuing: number)
    #expect(same == number)
    #expect(try counts(laptop) == [3])
    _ = try importing(["a", "d"], company: "Three", on: laptop, continuing: number)
    #expect(try counts(laptop) == [4])
    let (report, actions) = try laptop.replica.undo(action: number, now: Room.now)
    try laptop.perform(actions)
    #expect(report.setBack.count == 4)
    #expect(try laptop.reader.contactCount() == 0)
  }

  @Test(arguments: [true, false])
  func `a record that is deleted between two parts of an action counts once`(wasSent: Bool) throws {
    let laptop = try TestDevice(room, "laptop", isOnline: wasSent)
    let number = try importing(["a", "b"], company: "One", on: laptop, continuing: nil)
    if wasSent { try laptop.goOffline() }
    try laptop.delete("a")
    #expect(try laptop.rowCount(of: "a") == (wasSent ? 1 : 0))
    _ = try importing(["a", "c"], company: "Two", on: laptop, continuing: number)
    #expect(try laptop.reader.actions(limit: 10).last?.edits == 3)
  }

  @Test func `a record that a later part moves counts once`() throws {
    let laptop = try TestDevice(room, "laptop")
    let zone = ZoneID(name: ZoneName(77))
    try laptop.edit([.createZone(zone, title: "Club")])
    let number = try importing(["a"], company: "One", on: laptop, continuing: nil)
    let fields = try #require(try laptop.fields("a"))
    let (_, actions) = try laptop.replica.perform(
      [
        .save(TestDevice.contact("a", fields, in: zone)),
        .delete(RecordID(zone: .standard, name: RecordName(stored: "a")), version: nil),
      ], as: UserAction(.move, continuing: number), isAsked: true, now: Room.now)
    try laptop.perform(actions)
    #expect(try counts(laptop).first == 1)
  }

  @Test func `earlier parts are read only if their records may be edited again`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("old", ["company": .string("None")])
    let number = try importing(["a", "b"], company: "One", on: laptop, continuing: nil)
    let look = "SELECT count(DISTINCT name) FROM action_edit"
    let looks = try [["c", "d", "d"], ["old"], ["e", "a"], ["old"]].map { names in
      try laptop.count(of: look) {
        _ = try importing(names, company: "Two", on: laptop, continuing: number)
      }
    }
    // The last one changes nothing.
    #expect(looks == [0, 0, 1, 0])
    #expect(try counts(laptop).first == 6)
  }

  @Test func `a group that a later part deletes counts once with each of its records`() throws {
    let laptop = try TestDevice(room, "laptop")
    let zone = ZoneID(name: ZoneName(77))
    try laptop.edit([.createZone(zone, title: "Club")])
    try laptop.save("b", ["company": .string("Club")], in: zone)
    let save = LocalEdit.save(TestDevice.contact("a", ["company": .string("Club")], in: zone))
    let (number, actions) = try laptop.replica.perform(
      [save], as: UserAction(.import), isAsked: true, now: Room.now)
    try laptop.perform(actions)
    let (_, deletion) = try laptop.replica.perform(
      [.deleteZone(zone)], as: UserAction(.import, continuing: number), isAsked: true, now: Room.now
    )
    try laptop.perform(deletion)
    // The group, and the two records.
    #expect(try counts(laptop).first == 3)
  }

  @Test func `a deleted group counts with its records`() throws {
    let laptop = try TestDevice(room, "laptop")
    let zone = ZoneID(name: ZoneName(77))
    try laptop.edit([.createZone(zone, title: "Club")])
    for name in ["a", "b"] { try laptop.save(name, ["company": .string("Club")], in: zone) }
    try laptop.edit([.deleteZone(zone)])
    #expect(try counts(laptop) == [3, 1, 1, 1])
  }

  @Test func `actions are listed without reading their edits`() throws {
    let laptop = try TestDevice(room, "laptop")
    #expect(try laptop.reader.lastAction() == nil)
    let number = try importing(["a", "b", "c"], company: "One", on: laptop, continuing: nil)
    try laptop.replica.database.write { try $0.run("DROP TABLE action_edit") }
    #expect(try counts(laptop) == [3])
    #expect(try laptop.reader.lastAction() == number)
  }
}

extension TestDevice {
  /// The number of rows of a record, shown or not.
  fileprivate func rowCount(of name: String) throws -> Int {
    try replica.database.read {
      try $0.number("SELECT count(*) FROM record WHERE name = ?", [name])
    }
  }
}
