import GRDB
import Records
import SQLiteFile
import Testing

@Suite("J9 errors of SQLite")
struct StoreErrorSQLiteTests {
  @Test(
    arguments: [
      (.SQLITE_NOTADB, .foreign), (.SQLITE_CORRUPT, .damaged), (.SQLITE_CANTOPEN, .unreadable),
      (.SQLITE_PERM, .unreadable), (.SQLITE_AUTH, .unreadable), (.SQLITE_BUSY, .inUse),
      (.SQLITE_LOCKED, .inUse), (.SQLITE_FULL, .full), (.SQLITE_IOERR, .disk),
      (.SQLITE_READONLY, .disk), (.SQLITE_NOMEM, .disk), (.SQLITE_CONSTRAINT, .unexpected),
      (.SQLITE_ERROR, .unexpected), (.SQLITE_CORRUPT_VTAB, .damaged), (.SQLITE_IOERR_FSYNC, .disk),
    ] as [(ResultCode, StoreError.Kind)])
  func `a result code is a kind of failure, and its sentence names the file`(
    code: ResultCode, kind: StoreError.Kind
  ) {
    let error = StoreError(DatabaseError(resultCode: code, message: "odd"), path: "/d.sqlite")
    #expect(error.kind == kind)
    #expect(error.message.contains("/d.sqlite") && error.message.hasSuffix("."))
  }

  @Test func `an error that is one of a store already is unchanged, and any other is unexpected`() {
    let own = StoreError(.otherVersion, "It is newer.")
    #expect(StoreError(own, path: "/d.sqlite") == own)
    struct Other: Error {}
    #expect(StoreError(Other(), path: "/d.sqlite").kind == .unexpected)
  }

  @Test func `an error about a row does not contain the row`() throws {
    let queue = try DatabaseQueue()
    let error = #expect(throws: (any Error).self) {
      try queue.read {
        try Row.fetchOne($0, sql: "SELECT 'Ann Bell'")?.decode(Int.self, atIndex: 0)
      }
    }
    let converted = StoreError(try #require(error), path: "/d.sqlite")
    #expect(converted.kind == .unexpected)
    #expect(!converted.message.contains("Ann"))
  }
}
