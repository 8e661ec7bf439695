import AddressBook
import Collation
import Contacts
import DeviceRoom
import DeviceStore
import Foundation
import GRDB
import Records
import Testing

@testable import AgentStore

@Suite("E2 the agent's application")
struct AgentApplicationTests {
  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test func `a database in a file has the tables of one in memory`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try DeviceDatabase(path: folder.appending(path: "device.db").path)
    let names = try file.tableNames()
    #expect(names == (try DeviceDatabase.inMemory().tableNames()))
    #expect(names.contains { $0.hasPrefix("contact") } && names.contains { $0.hasPrefix("post") })
  }

  @Test func `databases in memory share nothing`() throws {
    let room = Room()
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    let tablet = try TestDevice(room, "tablet", isOnline: false)
    try laptop.save("a", ["lastName": .string("Adams")])
    #expect(try laptop.reader.contactCount() == 1)
    #expect(try tablet.reader.contactCount() == 0)
  }

  @Test func `a new account begins with the bundled contacts, and without them with none`() throws {
    let room = Room()
    let device = try TestDevice(room, "laptop", bundled: BundledContacts.all())
    #expect(try device.reader.contactCount() == 10)
    #expect(try TestDevice(Room(), "laptop").reader.contactCount() == 0)
  }

  @Test(arguments: [("sv", ["Zorn", "Åberg", "Öman"]), ("de", ["Åberg", "Öman", "Zorn"])])
  func `lists are in the order of the replica's language`(
    language: String, expected: [String]
  ) throws {
    let replica = try Replica(
      database: .inMemory(),
      settings: DeviceSettings(container: "contacts", accountName: "ada", deviceName: "laptop"),
      bundled: [], language: Language(language), generator: SystemRandomNumberGenerator(),
      now: Room.now)
    _ = replica.start()
    for name in ["Öman", "Zorn", "Åberg"] {
      let save = TestDevice.contact(name, ["lastName": .string(name)])
      _ = try replica.edit([.save(save)], isAsked: true, now: Room.now)
    }
    #expect(try replica.reader.contacts(ContactQuery()).rows.map(\.displayName) == expected)
  }

  @Test func `the application has rules for contacts, groups and posts`() {
    let rules = Application.agent(bundled: [], language: .neutral).rules
    #expect(rules.mainType == ContactRecord.type && rules.noun == "contact")
    #expect(rules.titles[ContactRecord.type] != nil && rules.titles[GroupRecord.type] != nil)
    #expect(rules.firstRecords == nil)
  }
}

extension DeviceDatabase {
  fileprivate func tableNames() throws -> [String] {
    try writer.read {
      try String.fetchAll(
        $0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    }
  }
}
