// A device's database that the first release made, in this version's hands.

import AddressBook
import AgentStore
import DeviceRoom
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile
import Testing

@Suite("B6 a device's database of the first release")
final class FirstReleaseTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "first-release-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: path("old.db"))
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA application_id = 1129604214")
      try db.execute(sql: FirstRelease.tables)
      try db.execute(
        sql: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('1 records, outbox, contacts, events');
          """)
    }
    try queue.close()
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  @Test func `what a device does, it does there too`() throws {
    let room = Room()
    let database = try DeviceDatabase(path: path("old.db"))
    let device = try TestDevice(room, "laptop", database: database)
    try device.save("a", ["firstName": .string("Ann"), "company": .string("Tea House")])
    try device.save("b", ["firstName": .string("Bo")])
    try device.delete("b")
    #expect(try device.reader.contacts(ContactQuery(text: "tea")).rows.count == 1)
    #expect(try device.reader.trash(before: nil, limit: 10).map(\.id.name.text) == ["b"])
    let phone = try TestDevice(room, "phone")
    #expect(
      try phone.fields("a") == ["firstName": .string("Ann"), "company": .string("Tea House")])
    try database.close()
  }

  /// Who changes the tables writes a migration: the first release's become the same as new ones.
  @Test func `its tables become those that a new device has`() throws {
    try DeviceDatabase(path: path("old.db")).close()
    try DeviceDatabase(path: path("new.db")).close()
    #expect(try schema(of: "old.db") == schema(of: "new.db"))
  }

  @Test func `before its tables change, it is copied beside itself`() throws {
    try DeviceDatabase(path: path("old.db")).close()
    let isChanged = try applied(in: "old.db").count > 1
    let copy = "old.db.1-records,-outbox,-contacts,-events"
    #expect(FileManager.default.fileExists(atPath: path(copy)) == isChanged)
    guard isChanged else { return }
    #expect(try applied(in: copy).count == 1)
  }

  private func applied(in name: String) throws -> [String] {
    try reading(name) { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
  }

  private func schema(of name: String) throws -> [String] {
    try reading(name) { db in
      try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
    }
  }

  private func reading<Result>(_ name: String, _ body: (Database) throws -> Result) throws -> Result
  {
    let queue = try DatabaseQueue(path: path(name))
    defer { try? queue.close() }
    return try queue.read(body)
  }
}
