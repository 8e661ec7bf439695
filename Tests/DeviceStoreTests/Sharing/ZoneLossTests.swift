import AgentStore
import Contacts
import DeviceRoom
import Foundation
import Records
import SyncCore
import TestTiers
import Testing

@testable import AddressBook
@testable import DeviceStore

@Suite("Z4 the loss of a group")
struct ZoneLossTests {
  /// Where anything that only Bob typed still stands.
  private func holders(_ ada: TestDevice) throws -> [String] {
    try ["Zelda", "Quuxworth", "5550100"].flatMap { try ada.holds($0) }
  }

  @Test func `nothing of it stays: not lists, search, past, trash, undo, events or conflicts`()
    throws
  {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.save("zelda", ["company": .string("Acme")], in: bobs.zone)
    bobs.room.broker.put(
      "old", BobsGroup.zelda, type: ContactRecord.type, in: bobs.zone)
    try ada.goOffline()
    try ada.goOnline()
    try ada.delete("old", in: bobs.zone)
    #expect(!(try holders(ada)).isEmpty)
    try bobs.take()
    #expect(try holders(ada) == [])
    #expect(try ada.reader.groups().map(\.title) == [""])
    #expect(try ada.reader.contacts(ContactQuery(text: "zelda")).rows.isEmpty)
    #expect(try ada.reader.rejectedEdits().isEmpty)
    #expect(try !ada.replica.needsErasing())
  }

  @Test func `an edit that waits is rejected with what was typed, and with nothing else`() throws {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.goOffline()
    let both: Value = .entries([
      BobsGroup.phone(1, "5550100"), BobsGroup.phone(2, "5550199"),
    ])
    try ada.save("zelda", ["note": .string("owes me"), "phones": both], in: bobs.zone)
    try ada.save("mine", ["firstName": .string("Typed")], in: bobs.zone)
    bobs.room.broker.take(bobs.zone)
    try ada.goOnline()
    let rejected = try ada.reader.rejectedEdits()
    #expect(rejected.count == 2)
    #expect(rejected[0].changes.set["note"] == .string("owes me"))
    #expect(rejected[0].changes.set["phones"] == .entries([BobsGroup.phone(2, "5550199")]))
    #expect(rejected[0].title == "5550199")
    #expect(rejected[1].title == "Typed")
    #expect(rejected.allSatisfy { $0.code == .permissionFailure && $0.message.contains("Rowing") })
    #expect(try holders(ada) == [])
    let ledger = try ada.reader.status().ledger
    #expect(ledger.made == 2)
    #expect(ledger.rejected == 2)
  }

  private func rejectedEdits(_ bobs: BobsGroup) throws -> TestDevice {
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.goOffline()
    let both: Value = .entries([
      BobsGroup.phone(1, "5550100"), BobsGroup.phone(2, "5550199"),
    ])
    try ada.save("zelda", ["note": .string("owes me"), "phones": both], in: bobs.zone)
    bobs.room.broker.share(bobs.zone, title: "Rowing", owner: "bob", isWritable: false)
    try ada.goOnline()
    let before = try ada.reader.rejectedEdits()
    #expect(before.map(\.changes.set["phones"]) == [both])
    #expect(before.map(\.title) == ["Zelda Quuxworth"])
    return ada
  }

  @Test func `of an edit that was rejected before it is lost stays what was typed`() throws {
    let bobs = BobsGroup()
    let ada = try rejectedEdits(bobs)
    // What of it is not typed is known from when it was rejected.
    bobs.room.broker.put(
      "zelda", ["phones": .entries([])], type: ContactRecord.type, in: bobs.zone)
    try bobs.take()
    let after = try #require(try ada.reader.rejectedEdits().first)
    #expect(after.changes.set["note"] == .string("owes me"))
    #expect(after.changes.set["phones"] == .entries([BobsGroup.phone(2, "5550199")]))
    #expect(after.title == "5550199")
    #expect(try holders(ada) == [])
    #expect(try !ada.replica.needsErasing())
  }

  @Test func `a request about it and about others is wiped as well once it is answered`() throws {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    ada.isDeaf = true
    try ada.edit([
      .save(TestDevice.contact("zelda", ["company": .string("Acme")], in: bobs.zone)),
      .save(TestDevice.contact("own", ["firstName": .string("Own")])),
    ])
    #expect(bobs.room.broker.requests.last?.groups.count == 2)
    try ada.goOffline()
    bobs.room.broker.take(bobs.zone)
    let wipes = try ada.count(of: "UPDATE identity SET to_erase = 1") { try ada.goOnline() }
    #expect(wipes == 2)
    #expect(try ada.fields("own") != nil)
    #expect(try ada.reader.status().waitingEntries == 0)
  }

  @Test func `a photo whose last piece comes behind the loss is not kept`() throws {
    let bobs = BobsGroup()
    let large = Array(repeating: UInt8(3), count: AddressBook.eagerPhotoBytes + 1)
    let asset = bobs.room.broker.assets.hold(large)
    bobs.room.broker.put(
      "photo", ["photo": .asset(asset)], type: ContactRecord.type, in: bobs.zone)
    let ada = try TestDevice(bobs.room, "laptop")
    try bobs.take()
    try ada.perform(ada.replica.arrived([asset], now: Room.now))
    #expect(try !ada.reader.isHere(asset))
    #expect(try ada.replica.collectAssets(now: Room.now).isEmpty)
  }

  @Test func `a request under way when it is lost leaves nothing behind once it is answered`()
    throws
  {
    let bobs = BobsGroup()
    let ada = try TestDevice(bobs.room, "laptop")
    ada.isDeaf = true
    try ada.save("zelda", ["phones": .entries([BobsGroup.phone(3, "5550177")])], in: bobs.zone)
    try ada.goOffline()
    bobs.room.broker.take(bobs.zone)
    try ada.goOnline()
    #expect(try holders(ada) == [])
    #expect(try ada.reader.status().waitingEntries == 0)
    #expect(try !ada.replica.needsErasing())
  }

  @Test func `its photos go too, unless something else here names them`() throws {
    let bobs = BobsGroup()
    let (only, both) = (Array("only Bob's".utf8), Array("on both sides".utf8))
    let assets = [only, both].map { bobs.room.broker.assets.hold($0) }
    for (index, asset) in assets.enumerated() {
      bobs.room.broker.put(
        "photo\(index)", ["photo": .asset(asset)], type: ContactRecord.type, in: bobs.zone)
    }
    let ada = try TestDevice(bobs.room, "laptop")
    #expect(ada.files.count == 2)
    try ada.save("own", ["firstName": .string("Own"), "photo": .asset(assets[1])])
    try bobs.take()
    #expect(try ada.replica.collectAssets(now: Room.now) == [assets[0].id])
    #expect(try ada.reader.isHere(assets[1]))
  }

  @Test(.onlyInCheck) func `its bytes are neither in the file nor in its log`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "contacts.sqlite").path
    let bobs = BobsGroup()
    for index in 0..<600 {
      let word = String(UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
      bobs.room.broker.put(
        "b\(index)",
        [
          "firstName": .string("Zq\(word)"), "lastName": .string("Quuxworth\(index)"),
          "note": .string(String(repeating: "Xyzzy\(word) ", count: 1 + index % 40)),
        ], type: ContactRecord.type, in: bobs.zone)
    }
    let database = try DeviceDatabase(path: path)
    let ada = try TestDevice(bobs.room, "laptop", database: database)
    for index in 0..<600 {
      try ada.save("a\(index)", ["firstName": .string("Own\(index)")])
      if index % 3 == 0 {
        try ada.save("b\(index)", ["company": .string("Quuxco \(index)")], in: bobs.zone)
      }
      if index % 7 == 0 { try ada.delete("b\(index)", in: bobs.zone) }
    }
    let words = ["Quuxworth", "quuxworth", "Xyzzy", "xyzzy", "Quuxco", "quuxco"]
    func found() throws -> [String] {
      let bytes = try ["", "-wal"].map {
        try Data(contentsOf: URL(filePath: path + $0))
      }
      return words.filter { word in bytes.contains { $0.firstRange(of: Data(word.utf8)) != nil } }
    }
    #expect(try !found().isEmpty)
    try bobs.take()
    #expect(try !ada.replica.needsErasing())
    #expect(try found() == [])
    #expect(try ada.reader.contacts(ContactQuery()).rows.count == 600)
  }
}
