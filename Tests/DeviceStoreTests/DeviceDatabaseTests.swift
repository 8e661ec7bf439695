// Opening files: ours, new ones, and all that are neither.

import AddressBook
import AgentStore
import DeviceRoom
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile
import Testing

@Suite("Opening a device's database")
final class DeviceDatabaseTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "device-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  @Test func `a device that has worked can close its file`() throws {
    let database = try DeviceDatabase(path: path("c.db"))
    let device = try TestDevice(Room(), "laptop", database: database, isOnline: false)
    try device.save("a", ["firstName": .string("Ann")])
    try device.save("a", ["firstName": .string("Amy")])
    #expect(try device.reader.contacts(ContactQuery(text: "am")).rows.count == 1)
    try database.close()
  }

  @Test func `a flipped bit in a contact is found and named`() throws {
    let database = try DeviceDatabase(path: path("f.db"))
    let device = try TestDevice(Room(), "laptop", database: database, isOnline: false)
    try device.save("a", ["firstName": .string("Ann"), "company": .string("Tea House")])
    try device.save("b", ["firstName": .string("Bo")])
    #expect(try device.reader.findings() == [])
    let queue = try DatabaseQueue(path: path("f.db"))
    try queue.write { db in
      try db.execute(
        sql: "UPDATE record SET shown = CAST(replace(shown, 'Tea', 'Tee') AS BLOB) WHERE name = 'a'"
      )
    }
    let findings = try device.reader.findings()
    #expect(findings.count == 1)
    let id = RecordID(zone: .standard, name: RecordName(stored: "a")).publicID
    #expect(findings.first?.contains("(\(id))") == true, "\(findings)")
    try queue.write { try $0.execute(sql: "UPDATE record SET shown = x'ff' WHERE name = 'b'") }
    #expect(try device.reader.findings().count == 2)
    try queue.close()
  }

  @Test func `what was saved is there after the file is opened again, without a close`() throws {
    let room = Room()
    let first = try TestDevice(
      room, "laptop", database: DeviceDatabase(path: path("a.db")), isOnline: false)
    try first.save("a", ["firstName": .string("Ann")])
    let second = try TestDevice(
      room, "laptop", database: DeviceDatabase(path: path("a.db")), isOnline: false)
    #expect(try second.fields("a") == ["firstName": .string("Ann")])
    #expect(try second.reader.status().waitingEdits == 1)
  }

  @Test func `every transaction is on the disk when it returns`() throws {
    let database = try DeviceDatabase(path: path("a.db"))
    #expect(try database.setting("synchronous") == 2)
    #expect(try database.setting("application_id") == 0x4354_6476)
  }

  @Test func `a database of another program is refused and left as it is`() throws {
    let queue = try DatabaseQueue(path: path("other.db"))
    try queue.write { try $0.execute(sql: "CREATE TABLE diary (day TEXT)") }
    try queue.close()
    let before = try Data(contentsOf: URL(filePath: path("other.db")))
    expect(.foreign, opening: "other.db")
    #expect(try Data(contentsOf: URL(filePath: path("other.db"))) == before)
  }

  @Test func `a file that is no database is refused and left as it is`() throws {
    let text = Data(String(repeating: "Dear diary, ", count: 200).utf8)
    try text.write(to: URL(filePath: path("diary.txt")))
    expect(.foreign, opening: "diary.txt")
    #expect(try Data(contentsOf: URL(filePath: path("diary.txt"))) == text)
  }

  @Test func `another version's database is refused`() throws {
    _ = try DeviceDatabase(path: path("new.db"))
    let queue = try DatabaseQueue(path: path("new.db"))
    try queue.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from the future')")
    }
    try queue.close()
    expect(.otherVersion, opening: "new.db")
  }

  @Test func `a directory and a missing directory are refused`() {
    expect(.unreadable, opening: ".")
    expect(.unreadable, opening: "nowhere/a.db")
  }

  @Test func `an empty file becomes a database`() throws {
    try Data().write(to: URL(filePath: path("empty.db")))
    _ = try DeviceDatabase(path: path("empty.db"))
  }

  @Test func `a full disk causes its own error, and the unsaved edit is not shown`() throws {
    let database = try DeviceDatabase(path: path("a.db"))
    let device = try TestDevice(Room(), "laptop", database: database, isOnline: false)
    try database.fill()
    let error = #expect(throws: StoreError.self) {
      try device.save("a", ["note": .string(String(repeating: "long ", count: 20_000))])
    }
    #expect(error?.kind == .full, "\(String(describing: error))")
    #expect(try device.fields("a") == nil)
  }

  private func expect(_ kind: StoreError.Kind, opening name: String) {
    let error = #expect(throws: StoreError.self) {
      _ = try DeviceDatabase(path: self.path(name))
    }
    #expect(error?.kind == kind, "\(String(describing: error))")
  }
}
