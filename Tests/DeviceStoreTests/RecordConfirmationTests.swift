import Contacts
import DeviceRoom
import GRDB
import Records
import SyncCore
import Testing

@testable import DeviceStore

@Suite("I1, I3 records that need no merge")
struct RecordConfirmationTests {
  private let room = Room()
  private let names = (0..<5).map { "c\($0)" }
  /// The beginning of the statement that reads a record with its states.
  private static let reading = "SELECT * FROM record WHERE zone"

  private func edits() -> [LocalEdit] {
    names.map { .save(TestDevice.contact($0, ["firstName": .string($0)])) }
  }

  @Test func `new records are sent and confirmed without being read again`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("first", ["firstName": .string("First")])
    let readings = try laptop.count(of: Self.reading) {
      try laptop.edit(edits(), isAsked: false)
    }
    #expect(readings == names.count, "each edit looks for its record")
    #expect(try laptop.reader.status().waitingEntries == 0)
    let layers = try laptop.reader.read { try $0.number("SELECT count(*) FROM layer") }
    #expect(layers == 0)
    for name in names { #expect(try room.broker.fields(name) == laptop.fields(name)) }
  }

  @Test func `new records made offline are read once, when they are sent`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("first", ["firstName": .string("First")])
    try laptop.goOffline()
    try laptop.edit(edits(), isAsked: false)
    let readings = try laptop.count(of: Self.reading) { try laptop.goOnline() }
    #expect(readings == names.count)
    #expect(try laptop.reader.status().waitingEntries == 0)
  }

  @Test func `a confirmed record has the author and the dates of the broker`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ["firstName": .string("Ann")])
    let row = try laptop.reader.read { db in
      try RecordRow.load(db, zone: 1, name: RecordName(stored: "a"))
    }
    let ancestor = try #require(row?.layers.ancestor)
    #expect(ancestor.tag != nil && row?.layers.isClean == true)
    #expect(ancestor.created != nil && ancestor.created == ancestor.modified)
    #expect(ancestor.fields == ["firstName": .string("Ann")])
  }

  @Test func `the stamps come with the outcome`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("first", ["firstName": .string("First")])
    try laptop.edit(edits(), isAsked: false)
    for name in names {
      let stored = try laptop.layers(name).ancestor
      let change = try #require(room.broker.change(name))
      #expect(stored.created == change.created && stored.modified == change.modified)
    }
  }

  @Test
  func `an edit of a record gets its stamp with the outcome, and keeps the date of creation`()
    throws
  {
    let phone = try TestDevice(room, "phone")
    try phone.save("a", ["firstName": .string("Ann")])
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("a", ["lastName": .string("Lee")])
    let stored = try laptop.layers("a").ancestor
    let change = try #require(room.broker.change("a"))
    #expect(stored.created == change.created && stored.modified == change.modified)
    #expect(stored.created?.origin.device != stored.modified?.origin.device)
  }

  @Test func `the row of a new record is as long before its outcome as after it`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.save("first", ["firstName": .string("First")])
    try laptop.goOffline()
    try laptop.edit(edits(), isAsked: false)
    let before = try laptop.lengths(of: names)
    try laptop.goOnline()
    let after = try laptop.lengths(of: names)
    for (before, after) in zip(before, after) { #expect((0...16).contains(before - after)) }
  }

  @Test func `a record that another device changes meanwhile is merged`() throws {
    let (laptop, phone) = (try TestDevice(room, "laptop"), try TestDevice(room, "phone"))
    try laptop.save("a", ["firstName": .string("Ann")])
    try laptop.goOffline()
    try laptop.save("a", ["lastName": .string("Lee")])
    try phone.save("a", ["company": .string("Acme")])
    try laptop.goOnline()
    let all: Fields = [
      "firstName": .string("Ann"), "lastName": .string("Lee"), "company": .string("Acme"),
    ]
    #expect(try laptop.fields("a") == all)
    #expect(try phone.fields("a") == all)
  }
}

extension TestDevice {
  /// The states of a record of the first zone.
  fileprivate func layers(_ name: String) throws -> RecordLayers {
    let row = try reader.read { db in
      try RecordRow.load(db, zone: 1, name: RecordName(stored: name))
    }
    return try #require(row).layers
  }

  /// The bytes of what an outcome changes in the rows of records.
  fileprivate func lengths(of names: [String]) throws -> [Int] {
    try reader.read { db in
      try names.map { (name: String) -> Int in
        try db.number(
          """
          SELECT coalesce(length(tag), 0) + coalesce(length(created), 0)
            + coalesce(length(modified), 0) + coalesce(length(reserved), 0)
          FROM record WHERE name = ?
          """, [name])
      }
    }
  }
}
