import GRDB
import SQLiteFile
import Testing

@Suite("P3 statements of the innermost loops")
struct HotStatementTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)") }
  }

  @Test(
    arguments: [
      (0, "", []), (-1, "a\0b", [0]), (.max, "é👩‍👧", [0, 255, 0]),
      (.min, String(repeating: "x", count: 5000), Array(repeating: 7, count: 70_000)),
    ] as [(Int64, String, [UInt8])])
  func `values are read as they were bound`(number: Int64, text: String, bytes: [UInt8]) throws {
    try queue.write { db in
      let insert = try HotStatement("INSERT INTO t (a, b, c) VALUES (?, ?, ?)", in: db)
      try insert.run { statement in
        statement.bind(1, number)
        statement.bind(2, text)
        statement.bind(3, bytes)
      }
      let select = try HotStatement("SELECT a, b, c FROM t", in: db)
      let isRead = try select.first(bind: { _ in }) { row in
        row.number(0) == number && row.text(1) == text && row.bytes(2) == bytes
          && !row.isNull(0) && !row.isNull(1) && !row.isNull(2)
      }
      #expect(isRead == true)
      let types = "SELECT typeof(a) || ' ' || typeof(b) || ' ' || typeof(c) FROM t"
      #expect(try String.fetchOne(db, sql: types) == "integer text blob")
    }
  }

  @Test func `NULL is an empty value, and an empty blob is not NULL`() throws {
    try queue.write { db in
      let insert = try HotStatement("INSERT INTO t (a, b) VALUES (?, ?)", in: db)
      try insert.run { statement in
        statement.bindNull(1)
        statement.bind(2, [])
      }
      let select = try HotStatement("SELECT a, b FROM t", in: db)
      let isRead = try select.first(bind: { _ in }) { row in
        row.isNull(0) && !row.isNull(1) && row.text(0).isEmpty && row.bytes(0).isEmpty
          && row.number(0) == 0 && row.bytes(1).isEmpty
      }
      #expect(isRead == true)
    }
  }

  @Test func `a statement can be run again after every row, after some rows and after a failure`()
    throws
  {
    struct Stopped: Error {}
    try queue.write { db in
      let insert = try HotStatement("INSERT INTO t (id) VALUES (?)", in: db)
      for id in 1...5 as ClosedRange<Int64> { try insert.run { $0.bind(1, id) } }
      // The sixth is a conflict; the statement works for another number.
      #expect(throws: DatabaseError.self) { try insert.run { $0.bind(1, 5) } }
      try insert.run { $0.bind(1, 6) }

      let select = try HotStatement(
        borrowing: "SELECT id FROM t WHERE id > ? ORDER BY id", from: db)
      for limit in [1, 3, 100] {
        var found: [Int64] = []
        try select.forEach([2]) { row in
          found.append(row.number(0))
          return found.count < limit
        }
        #expect(found == Array([3, 4, 5, 6].prefix(limit)))
      }
      #expect(throws: Stopped.self) { try select.forEach([0]) { _ in throw Stopped() } }
      #expect(try select.first(bind: { $0.bind(1, 5) }, read: { $0.number(0) }) == 6)
      #expect(try select.first(bind: { $0.bind(1, 6) }, read: { $0.number(0) }) == nil)
    }
  }
}
