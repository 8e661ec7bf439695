import PostgreSQLConnections
import Processes
import Records
import SQLConnections
import Testing

@Suite("Transactions of PostgreSQL", hasServer)
struct TransactionTests {
  @Test func `a reader sees one snapshot, and a writer what others committed`() async throws {
    let database = try await FreshDatabase()
    let writer = try database.connectWithTable()
    let reader = try database.connect()
    let count = "SELECT count(*) FROM entry"
    reader.begin(isReadOnly: true)
    #expect(try reader.value(count) == 0)
    try writer.transact { try $0.run("INSERT INTO entry (number) VALUES (1)") }
    #expect(try reader.value(count) == 0)
    try reader.commit()
    reader.begin(isReadOnly: false)
    #expect(try reader.value(count) == 1)
    try writer.transact { try $0.run("INSERT INTO entry (number) VALUES (2)") }
    #expect(try reader.value(count) == 2)
    try reader.commit()
  }

  @Test func `a reader cannot write`() async throws {
    let connection = try await FreshDatabase().connectWithTable()
    connection.begin(isReadOnly: true)
    try connection.run("INSERT INTO entry (number) VALUES (1)")
    let error = try #require(throws: PostgreSQLError.self) { try connection.commit() }
    #expect(error.state == "25006")
    let failure = StoreError(error)
    #expect(failure.kind == .disk && failure.message.contains("standby"))
  }

  @Test func `a rolled back transaction changes nothing, but uses its keys up`() async throws {
    let connection = try await FreshDatabase().connectWithTable()
    connection.begin(isReadOnly: false)
    let first = try connection.nextKey(of: "entry")
    try connection.run("INSERT INTO entry (key) VALUES (?)", [first])
    connection.rollback()
    #expect(try connection.value("SELECT count(*) FROM entry") == 0)
    #expect(try connection.nextKey(of: "entry") > first)
  }

  @Test func `a table without keys has no next one`() async throws {
    let connection = try await FreshDatabase().connect()
    try connection.run("CREATE TABLE plain (key bigint)")
    #expect(throws: StoreError.self) { try connection.nextKey(of: "plain") }
  }

  @Test func `an empty transaction can be committed and rolled back`() async throws {
    let connection = try await FreshDatabase().connect()
    connection.begin(isReadOnly: false)
    try connection.commit()
    connection.begin(isReadOnly: false)
    connection.rollback()
    connection.rollback()
    #expect(try connection.value("SELECT 1") == 1)
  }

  @Test func `a conflict of a deferred constraint is thrown by the commit`() async throws {
    let connection = try await FreshDatabase().connect()
    try connection.run("CREATE TABLE d (n bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    connection.begin(isReadOnly: false)
    for _ in 0..<2 { try connection.run("INSERT INTO d VALUES (1)") }
    #expect(try connection.value("SELECT count(*) FROM d") == 2)
    let error = try #require(throws: PostgreSQLError.self) { try connection.commit() }
    #expect(error.state == "23505")
    #expect(try connection.value("SELECT count(*) FROM d") == 0)
  }

  @Test func `a deadlock can be tried again`() async throws {
    let database = try await FreshDatabase()
    let one = try database.connectWithTable()
    let lock = "UPDATE entry SET number = 1 WHERE key = ?"
    try one.run("INSERT INTO entry (key) VALUES (1), (2)")
    one.begin(isReadOnly: false)
    #expect(try one.countChanges(lock, [1]) == 1)
    let address = database.address
    async let other: PostgreSQLError? = onThread {
      let two = try PostgreSQLConnection(address)
      two.begin(isReadOnly: false)
      defer { two.rollback() }
      _ = try two.countChanges(lock, [2])
      return try errorOf { _ = try two.countChanges(lock, [1]) }
    }
    let observer = try database.connect()
    try await Patience.wait(until: "the other connection to wait for the lock") {
      let waiting = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """
      return try observer.value(waiting) ?? 0 > 0
    }
    let mine = try errorOf { _ = try one.countChanges(lock, [2]) }
    one.rollback()
    let victims = [mine, try await other].compactMap(\.self)
    #expect(victims.map(\.state) == ["40P01"])
    #expect(victims.map(\.isRetryable) == [true])
  }

  @Test func `the end of the server's process before the commit leaves it unknown`() async throws {
    let database = try await FreshDatabase()
    let connection = try database.connectWithTable()
    let other = try database.connect()
    connection.begin(isReadOnly: false)
    #expect(try connection.countChanges("INSERT INTO entry (number) VALUES (1)") == 1)
    let process = Int(connection.serverProcess)
    try other.run("SELECT pg_terminate_backend(?::int4, 10000)", [process])
    let error = try #require(throws: CommitUnknown.self) { try connection.commit() }
    #expect(error.reason.state == "57P01")
    #expect(connection.isBroken)
    #expect(StoreError(ofPostgreSQL: error).kind == .unreachable)
    #expect(try other.value("SELECT count(*) FROM entry") == 0)
  }

  @Test func `a connection lost before the commit is an error of the statement`() async throws {
    let database = try await FreshDatabase()
    let connection = try database.connectWithTable()
    let other = try database.connect()
    connection.begin(isReadOnly: false)
    #expect(try connection.value("SELECT 1") == 1)
    try other.run("SELECT pg_terminate_backend(?::int4, 10000)", [Int(connection.serverProcess)])
    let error = try #require(throws: PostgreSQLError.self) {
      try connection.value("SELECT 1") as Int?
    }
    #expect(error.state == "57P01" && error.isConnectionLost)
    #expect(throws: error) { try connection.commit() }
  }
}

/// Returns the error that `body` throws, if it is of PostgreSQL.
private func errorOf(_ body: () throws -> Void) throws -> PostgreSQLError? {
  do {
    try body()
    return nil
  } catch let error as PostgreSQLError {
    return error
  }
}
