import GRDB
import SQLiteFile
import Testing

@Suite("P3 interrupted statements")
struct DatabaseInterruptTests {
  private struct Late: Error {}
  private struct Other: Error {}

  /// Counts to a number that takes several checks.
  private func count(_ db: Database) throws -> Int? {
    try Int.fetchOne(
      db,
      sql:
        "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT count(*) FROM n"
    )
  }

  @Test func `a statement is interrupted once it is over, and the next one is not`() throws {
    try DatabaseQueue().read { db in
      #expect(throws: Late.self) {
        try db.interrupted(when: { true }, as: Late()) { try count(db) }
      }
      #expect(try count(db) == 20_000)
      var checks = 0
      let result = try db.interrupted(
        when: {
          checks += 1
          return false
        }, as: Late()
      ) { try count(db) }
      #expect(result == 20_000 && checks > 1)
      let seen = checks
      #expect(try count(db) == 20_000)
      #expect(checks == seen)
    }
  }

  @Test func `another error is thrown as it is`() throws {
    try DatabaseQueue().read { db in
      #expect(throws: Other.self) {
        try db.interrupted(when: { true }, as: Late()) { throw Other() }
      }
      #expect(throws: DatabaseError.self) {
        try db.interrupted(when: { false }, as: Late()) { try db.execute(sql: "SELECT nothing") }
      }
    }
  }
}
