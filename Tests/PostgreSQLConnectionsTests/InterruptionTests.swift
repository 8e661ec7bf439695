import PostgreSQLConnections
import SQLConnections
import Testing

@Suite("Interrupted statements of PostgreSQL", hasServer)
struct InterruptionTests {
  private struct Late: Error {}
  private struct Other: Error {}
  private let never = { false }

  @Test func `a running statement is cancelled once it is over`() async throws {
    let connection = try await FreshDatabase().connect()
    connection.begin(isReadOnly: true)
    var questions = 0
    #expect(throws: Late.self) {
      let isOver = {
        questions += 1
        return questions > 3
      }
      _ = try connection.interrupted(when: isOver, as: Late()) {
        try connection.rows("SELECT pg_sleep(600)")
      }
    }
    #expect(questions == 4)
    connection.rollback()
    #expect(!connection.isBroken)
    #expect(try connection.value("SELECT 1") == 1)
  }

  @Test func `rows are not read on once it is over`() async throws {
    let connection = try await FreshDatabase().connect()
    var count = 0
    #expect(throws: Late.self) {
      let isOver = { count >= 100 }
      try connection.interrupted(when: isOver, as: Late()) {
        try connection.statement("SELECT generate_series(1, 1000)").forEach([]) { _ in
          count += 1
          return true
        }
      }
    }
    #expect((100..<200).contains(count))
  }

  @Test func `other errors pass, and a statement in time does too`() async throws {
    let connection = try await FreshDatabase().connect()
    #expect(throws: Other.self) {
      try connection.interrupted(when: never, as: Late()) { throw Other() }
    }
    let value: Int? = try connection.interrupted(when: never, as: Late()) {
      try connection.value("SELECT 5")
    }
    #expect(value == 5)
  }

  @Test func `a statement that the server cancels is an error of its own`() async throws {
    var settings = ConnectionSettings()
    // Connecting has a statement of its own.
    settings.statementLimit = .seconds(1)
    let connection = try await FreshDatabase().connect(settings)
    let error = try #require(throws: PostgreSQLError.self) {
      try connection.interrupted(when: never, as: Late()) {
        try connection.rows("SELECT pg_sleep(600)")
      }
    }
    #expect(error.state == "57014")
  }
}
