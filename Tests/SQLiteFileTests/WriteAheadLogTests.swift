// The write-ahead log that the writer checkpoints between commits.

import Foundation
import GRDB
import SQLiteFile
import Testing

@Suite("I11 the write-ahead log")
struct WriteAheadLogTests {
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "log-\(UInt64.random(in: 0 ... .max))")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  private var path: String { directory.appending(path: "d.sqlite").path }

  private func open(_ log: WriteAheadLog?) throws -> DatabasePool {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 table") { try $0.execute(sql: "CREATE TABLE t (a BLOB)") }
    let file = SQLiteFile(applicationID: 7, migrator: migrator, cacheKibibytes: 2000)
    return try file.open(path: path, readers: 1, log: log)
  }

  private func sizeBytes(_ suffix: String = "") throws -> Int {
    let values = try FileManager.default.attributesOfItem(atPath: path + suffix)
    return try #require(values[.size] as? Int)
  }

  private func write(mebibytes: Int, to pool: DatabasePool) throws {
    for _ in 0..<mebibytes {
      try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (zeroblob(1 << 20))") }
    }
  }

  @Test func `a commit that fills the log does not checkpoint it, the writer does`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let log = WriteAheadLog()
    let pool = try open(log)
    try write(mebibytes: 10, to: pool)
    #expect(!log.isFull)
    try write(mebibytes: 10, to: pool)
    #expect(log.isFull)
    #expect(try sizeBytes() < 1 << 20)
    pool.writeWithoutTransaction { log.copy(in: $0) }
    #expect(!log.isFull)
    #expect(try sizeBytes() > 20 << 20)
    // The next write starts the log from the beginning.
    try write(mebibytes: 1, to: pool)
    #expect(!log.isFull)
    #expect(try sizeBytes("-wal") < 22 << 20)
    try pool.close()
  }

  @Test func `a file that a long transaction made large is cut when the log begins again`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let pool = try open(nil)
    try pool.write { db in
      for _ in 0..<50 { try db.execute(sql: "INSERT INTO t VALUES (zeroblob(1 << 20))") }
    }
    #expect(try sizeBytes("-wal") > 50 << 20)
    try write(mebibytes: 1, to: pool)
    #expect(try sizeBytes("-wal") == 32 << 20)
    try pool.close()
  }

  @Test func `a commit checkpoints a log that the writer has not`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let pool = try open(WriteAheadLog())
    try write(mebibytes: 150, to: pool)
    #expect(try sizeBytes("-wal") < 70 << 20)
    #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 150)
    try pool.close()
  }

  @Test func `without a log object the commit that fills the log checkpoints it`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let pool = try open(nil)
    try write(mebibytes: 20, to: pool)
    #expect(try sizeBytes() > 15 << 20)
    try pool.close()
  }
}
