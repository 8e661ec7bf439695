import Contacts
import DeviceRoom
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
