import PostgreSQLConnections
import Records
import SQLConnections
import Testing

@Suite("Statements of PostgreSQL", hasServer)
struct PostgreSQLStatementTests {
  @Test(
    arguments: [
      .null, .integer(0), .integer(.min), .integer(.max), .text(""), .text("Grüße 👩‍👩‍👧 \u{1}"),
      .bytes([]), .bytes([0, 255, 0]),
    ] as [SQLValue])
  func `a value is read as it was stored`(_ value: SQLValue) async throws {
    let connection = try await FreshDatabase().connectWithTable()
    let column =
      switch value {
      case .null, .integer: "number"
      case .text: "text"
      case .bytes: "bytes"
      }
    let key = try connection.insert(
      "INSERT INTO entry (\(column)) VALUES (?)", [Parameter(sqlValue: value)])
    let statement = try connection.statement("SELECT \(column) FROM entry WHERE key = ?")
    let read = try statement.first {
      $0.bind(1, key)
    } read: {
      $0.value(0)
    }
    #expect(read == value)
  }

  @Test func `values of a mebibyte are read as they were stored`() async throws {
    let connection = try await FreshDatabase().connectWithTable()
    let text = String(repeating: "é", count: 1 << 19)
    let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0) }
    try connection.run("INSERT INTO entry (text, bytes) VALUES (?, ?)", [text, bytes])
    let row = try #require(try connection.rows("SELECT text, bytes FROM entry").first)
    #expect(row[0] as String == text)
    #expect(row[1] as [UInt8] == bytes)
  }

  @Test func `all types of numbers and texts are read`() async throws {
    let connection = try await FreshDatabase().connect()
    let row = try connection.first(
      """
      SELECT 1::int2, -2::int4, 3::int8, 4::oid, true, false, 'n'::name, 'v'::varchar, 'c'::"char",
        count(*), sum(5::int8), NULL::int4, pg_notify('c', '') FROM generate_series(1, 2)
      """
    ) { row in (0..<13).map { row[$0] as String? } }
    #expect(
      row == ["1", "-2", "3", "4", "1", "0", "n", "v", "c", "2", "10", nil, nil])
  }

  @Test(
    arguments: [
      ("0", 0), ("-0.9", 0), ("1.99", 1), ("10000", 10_000), ("-12345678.9", -12_345_678),
      ("100000000", 100_000_000), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", .max), ("-1e30", .min), ("0.00001", 0), ("NaN", 0),
    ] as [(String, Int64)])
  func `a numeric is truncated to an integer`(_ text: String, _ expected: Int64) async throws {
    let connection = try PostgreSQLConnection(try await Self.sharedDatabase.value)
    #expect(try connection.value("SELECT CAST(?1 AS numeric)", [text]) == expected)
  }

  @Test func `a value that is asked for as another type is converted`() async throws {
    let connection = try await FreshDatabase().connect()
    let statement = try connection.statement("SELECT '-12abc', 34::int8, 'x', '\\x3536'::bytea")
    #expect(try statement.step())
    #expect(statement.number(0) == -12 && statement.number(2) == 0 && statement.number(3) == 56)
    #expect(statement.text(1) == "34" && statement.text(3) == "56")
    #expect(statement.bytes(1) == [0x33, 0x34] && statement.bytes(2) == [0x78])
    #expect(statement.columnCount == 4 && !statement.isNull(3))
    statement.reset()
    #expect(statement.columnCount == 0)
  }

  @Test func `a column of another type is an error that names it`() async throws {
    let connection = try await FreshDatabase().connect()
    let error = try #require(throws: StoreError.self) {
      try connection.rows("SELECT 1, 1.5::float8 AS height")
    }
    #expect(error.message == "The column height is of a type that is not read (701).")
    #expect(try connection.value("SELECT 1") == 1)
  }

  @Test func `NULL and values of each type can follow each other`() async throws {
    let connection = try await FreshDatabase().connectWithTable()
    let sql = "INSERT INTO entry (number, text, bytes) VALUES (?, ?, ?)"
    try connection.transact {
      for number in 0..<16 {
        try $0.run(
          sql,
          [
            number & 1 == 0 ? nil : number, number & 2 == 0 ? nil : "text",
            number & 4 == 0 ? nil : [UInt8(number)],
          ])
      }
    }
    for column in ["number", "text", "bytes"] {
      #expect(try connection.value("SELECT count(\(column)) FROM entry") == 8)
    }
  }

  @Test func `changes are counted`() async throws {
    let connection = try await FreshDatabase().connectWithTable()
    try connection.transact { connection throws in
      let insert = "INSERT INTO entry (number) SELECT * FROM generate_series(1, 5)"
      #expect(try connection.countChanges(insert) == 5)
      #expect(
        try connection.countChanges("UPDATE entry SET text = ? WHERE number > ?", ["a", 3]) == 2)
      #expect(try connection.countChanges("DELETE FROM entry WHERE number > ?", [9]) == 0)
    }
  }

  @Test func `other statements run while rows are read`() async throws {
    let connection = try await FreshDatabase().connectWithTable()
    try connection.transact {
      for number in 1...3 { try $0.run("INSERT INTO entry (number) VALUES (?)", [number]) }
      var seen: [Int] = []
      try $0.statement("SELECT number FROM entry ORDER BY number").forEach([]) { row in
        try connection.run("UPDATE entry SET text = 'seen' WHERE number = ?", [row.number(0)])
        seen.append(
          try connection.value("SELECT count(*) FROM entry WHERE text = 'seen'") ?? 0)
        return true
      }
      #expect(seen == [1, 2, 3])
    }
  }

  @Test func `a scan of 100,000 rows that stops early reads few`() async throws {
    let connection = try await FreshDatabase().connect()
    try connection.run("CREATE SEQUENCE touched")
    try connection.transact {
      var count = 0
      let sql = "SELECT n, nextval('touched') FROM generate_series(?, 100000) AS n"
      try $0.statement(sql).scan([1]) { row in
        count += 1
        #expect(row.number(0) == count)
        return count < 250
      }
      #expect(try $0.value("SELECT last_value FROM touched") == 400)
    }
  }

  @Test(arguments: [0, 1, 199, 200, 201, 1000])
  func `two scans at the same time read all rows`(_ count: Int) async throws {
    let connection = try await FreshDatabase().connect()
    connection.begin(isReadOnly: true)
    defer { connection.rollback() }
    for _ in 0..<2 {
      var pairs = 0
      let inner = try connection.statement("SELECT n + ?1 FROM generate_series(1, ?2) AS n")
      let outer = try connection.statement("SELECT n FROM generate_series(1, ?) AS n")
      inner.fetchInSteps()
      SQLArguments(arrayLiteral: 0, count).bind(to: inner)
      try outer.scan([count]) { row throws in
        #expect(try inner.step())
        if inner.number(0) == row.number(0) { pairs += 1 }
        return true
      }
      #expect(try !inner.step())
      inner.reset()
      #expect(pairs == count)
    }
    try connection.commit()
  }

  private static let sharedDatabase = Task { try await FreshDatabase().address }
}

/// A value of any kind as a parameter.
private struct Parameter: SQLBindable {
  let sqlValue: SQLValue
}
