import PostgreSQLConnections
import Records
import SQLConnections
import Testing

@Suite("Errors of PostgreSQL")
struct StoreErrorPostgreSQLTests {
  @Test(
    arguments: [
      ("53100", .full), ("25006", .disk), ("53300", .unreachable), ("57P01", .unreachable),
      ("57P02", .unreachable), ("57P03", .unreachable), ("08006", .unreachable),
      ("08P01", .unreachable), ("XX001", .damaged), ("XX002", .damaged), ("42601", .unexpected),
      ("23505", .unexpected), ("40001", .inUse), ("40P01", .inUse), ("53200", .inUse),
      ("55P03", .inUse), ("57014", .inUse), ("58030", .disk), ("0A000", .inUse),
      ("26000", .inUse),
    ] as [(String, StoreError.Kind)])
  func `each code has the kind that decides what to do`(state: String, kind: StoreError.Kind) {
    let error = StoreError(PostgreSQLError(state: state, "It is so."))
    #expect(error.kind == kind)
    #expect(error.message.hasSuffix("."))
  }

  @Test func `an error that ended the connection is temporary, whatever its code`() {
    let error = PostgreSQLError(state: "25P03", "Idle for too long.", isFatal: true)
    #expect(StoreError(error).kind == .unreachable)
  }

  @Test func `errors of the store stay as they are`() {
    let error = StoreError(.otherVersion, "It is so.")
    #expect(StoreError(ofPostgreSQL: error) == error)
    struct Odd: Error {}
    #expect(StoreError(ofPostgreSQL: Odd()).kind == .unexpected)
  }

  @Test(arguments: ["40001": true, "40P01": true, "57014": false, "08006": false])
  func `conflicts can be tried again`(state: String, isRetryable: Bool) {
    #expect(PostgreSQLError(state: state, "It is so.").isRetryable == isRetryable)
  }

  @Test(
    hasServer,
    arguments: [
      ("INSERT INTO entry (key, text) VALUES (1, 's3cret')", "23505"),
      ("SELECT CAST(text AS bigint) FROM entry", "22P02"),
      ("UPDATE entry SET number = length(text) / 0", "22012"),
      ("UPDATE entry SET key = NULL", "23502"),
    ])
  func `an error does not contain what a row does`(_ sql: String, _ state: String) async throws {
    let connection = try await FreshDatabase().connectWithTable()
    try connection.run("INSERT INTO entry (key, text) VALUES (1, 's3cret')")
    let error = try #require(throws: PostgreSQLError.self) { try connection.run(sql) }
    #expect(error.state == state)
    #expect(!error.description.contains("s3cret"))
    #expect(!StoreError(error).message.contains("s3cret"))
  }
}
