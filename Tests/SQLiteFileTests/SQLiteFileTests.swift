// A database file across versions of the program.

import Foundation
import GRDB
import Records
import SQLiteFile
import Testing

@Suite("B6 a database file")
struct SQLiteFileTests {
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "file-\(UInt64.random(in: 0 ... .max))")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  private var path: String { directory.appending(path: "d.sqlite").path }

  private func file(_ changes: Int, failing: Bool = false) -> SQLiteFile {
    var migrator = DatabaseMigrator()
    for change in 1...changes {
      migrator.registerMigration("\(change) change") { db in
        try db.execute(sql: "CREATE TABLE t\(change) (a INTEGER)")
        if failing, change == changes { try db.execute(sql: "INSERT INTO nothing VALUES (1)") }
      }
    }
    return SQLiteFile(applicationID: 7, migrator: migrator, cacheKibibytes: 100)
  }

  private func names() throws -> [String] {
    // Reading leaves SQLite's two auxiliary files behind, which are empty then.
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
  }

  @Test func `before a migration the file is copied unchanged`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let old = try file(1).open(path: path, readers: 1)
    try old.write { try $0.execute(sql: "INSERT INTO t1 VALUES (5)") }
    try old.close()
    #expect(try names() == ["d.sqlite"])
    try file(2).open(path: path, readers: 1).close()
    #expect(try names() == ["d.sqlite", "d.sqlite.1-change"])
    // The older version opens the copy and finds its data.
    let copy = try file(1).open(path: "\(path).1-change", readers: 1)
    #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT a FROM t1") } == 5)
    try copy.close()
  }

  @Test func `a file without pending migrations is not copied`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    for _ in 1...2 { try file(2).open(path: path, readers: 1).close() }
    #expect(try names() == ["d.sqlite"])
  }

  @Test func `a failed migration leaves the file unchanged and its copy next to it`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    try file(1).open(path: path, readers: 1).close()
    #expect(throws: StoreError.self) { try file(2, failing: true).open(path: path, readers: 1) }
    #expect(try names().contains("d.sqlite.1-change"))
    let again = try file(1).open(path: path, readers: 1)
    #expect(try again.read { try !$0.tableExists("t2") })
    try again.close()
  }

  /// The second file has the tables of another step, whatever its name is.
  @Test(arguments: ["2 change", "0 change"])
  func `a file of another version is refused, and neither changed nor copied`(step: String) throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let other = try file(1).open(path: path, readers: 1)
    try other.write { db in
      try db.execute(sql: "UPDATE grdb_migrations SET identifier = ?", arguments: [step])
    }
    try other.close()
    let error = try #require(throws: StoreError.self) {
      try file(1).open(path: path, readers: 1)
    }
    #expect(error.kind == .otherVersion)
    #expect(
      error.message == """
        \(path) was written by another version of this program; use that version, or export with it and import with \
        this one.
        """)
    #expect(try names() == ["d.sqlite"])
  }

  @Test func `a file can be read while another connection writes`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let writer = try file(1).open(path: path, readers: 1)
    let reader = try file(1).openForReading(path: path)
    try writer.write { try $0.execute(sql: "INSERT INTO t1 VALUES (6)") }
    #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT a FROM t1") } == 6)
    #expect(throws: (any Error).self) {
      try reader.write { try $0.execute(sql: "DELETE FROM t1") }
    }
    let error = try #require(throws: StoreError.self) {
      try file(1).openForReading(path: "\(path).none")
    }
    #expect(error.kind == .unreadable)
    try reader.close()
    try writer.close()
  }
}
