import PostgreSQLConnections
import Records
import SQLConnections
import Testing

@testable import PostgreSQLConnections

@Suite("The pipeline of PostgreSQL", hasServer)
struct PipelineTests {
  private let insert = "INSERT INTO entry (key, number) VALUES (?, ?)"

  @Test func `an error in the middle is thrown by the next result, and nothing is stored`()
    async throws
  {
    let connection = try await FreshDatabase().connectWithTable()
    connection.begin(isReadOnly: false)
    for key in [1, 2, 1, 3] { try connection.run(insert, [key, 0]) }
    let error = try #require(throws: PostgreSQLError.self) {
      try connection.value("SELECT count(*) FROM entry") as Int?
    }
    #expect(error.state == "23505")
    #expect(error.message.contains("entry_pkey"))
    // The same error again, until the transaction is over.
    #expect(throws: error) { try connection.run(insert, [9, 0]) }
    #expect(throws: error) { try connection.commit() }
    #expect(try connection.value("SELECT count(*) FROM entry") == 0)
  }

  @Test func `an error in the middle is thrown by the commit, and nothing is stored`() async throws
  {
    let connection = try await FreshDatabase().connectWithTable()
    connection.begin(isReadOnly: false)
    for key in [1, 2, 1, 3] { try connection.run(insert, [key, 0]) }
    let error = try #require(throws: PostgreSQLError.self) { try connection.commit() }
    #expect(error.state == "23505")
    #expect(try connection.value("SELECT count(*) FROM entry") == 0)
    try connection.transact { try $0.run(insert, [1, 1]) }
    #expect(try connection.value("SELECT number FROM entry") == 1)
  }

  @Test func `an error outside of a transaction ends with its statement`() async throws {
    let connection = try await FreshDatabase().connectWithTable()
    try connection.run(insert, [1, 0])
    #expect(throws: PostgreSQLError.self) { try connection.run(insert, [1, 0]) }
    try connection.run(insert, [2, 0])
    #expect(try connection.value("SELECT count(*) FROM entry") == 2)
  }

  @Test func `a statement that cannot be prepared is prepared once it can be`() async throws {
    let connection = try await FreshDatabase().connect()
    #expect(throws: PostgreSQLError.self) {
      try connection.transact { try $0.run(insert, [1, 0]) }
    }
    try connection.makeTable()
    try connection.transact { try $0.run(insert, [1, 0]) }
    #expect(try connection.value("SELECT key FROM entry") == 1)
  }

  @Test func `10,000 queued statements run in order, and few wait at a time`() async throws {
    let connection = try await FreshDatabase().connectWithTable()
    var most = 0
    try connection.transact {
      for number in 1...10_000 {
        try $0.run(insert, [number, number])
        most = max(most, $0.pipeline.pendingCount)
      }
    }
    #expect(most >= Pipeline.statementsPerFlush && most <= 2 * Pipeline.statementsPerFlush + 2)
    #expect(try connection.value("SELECT sum(number) FROM entry") == 50_005_000)
  }

  @Test func `queued statements with large parameters and large results do not block each other`()
    async throws
  {
    let connection = try await FreshDatabase().connect()
    let bytes = [UInt8](repeating: 1, count: 1 << 20)
    try connection.transact {
      for _ in 0..<40 { try $0.run("SELECT repeat('x', 1000000), ?", [bytes]) }
      #expect(try $0.value("SELECT length(?)", [bytes]) == 1 << 20)
    }
  }

  @Test func `an error among 10,000 statements ends the queueing`() async throws {
    let connection = try await FreshDatabase().connectWithTable()
    connection.begin(isReadOnly: false)
    defer { connection.rollback() }
    var count = 0
    let error = try #require(throws: PostgreSQLError.self) {
      for number in 1...10_000 {
        count = number
        try connection.run(insert, [number == 100 ? 1 : number, 0])
      }
    }
    #expect(error.state == "23505")
    #expect(count <= 100 + 3 * Pipeline.statementsPerFlush)
    connection.rollback()
    #expect(try connection.value("SELECT count(*) FROM entry") == 0)
  }

  @Test func `more statements than the server may prepare are forgotten in between`() async throws {
    let connection = try await FreshDatabase().connect()
    for part in 0..<3 {
      try connection.transact {
        for number in 0..<1500 { try $0.run("SELECT \(part * 1500 + number)") }
      }
    }
    let count: Int? = try connection.value("SELECT count(*) FROM pg_prepared_statements")
    #expect(try #require(count) < 3010)
    #expect(try connection.value("SELECT 7") == 7)
  }

  @Test func `a server that does not answer in time is given up`() async throws {
    var settings = ConnectionSettings()
    // Connecting has several answers, which have to be in time too.
    settings.answerLimit = .seconds(2)
    let connection = try await FreshDatabase().connect(settings)
    let error = try #require(throws: PostgreSQLError.self) {
      try connection.rows("SELECT pg_sleep(100)")
    }
    #expect(error.isConnectionLost && connection.isBroken)
    #expect(throws: error) { try connection.run("SELECT 1") }
    #expect(StoreError(error).kind == .unreachable)
  }
}
