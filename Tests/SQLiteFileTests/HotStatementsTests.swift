import GRDB
import Testing

@testable import SQLiteFile

@Suite("The statements of a transaction")
struct HotStatementsTests {
  private static let one = HotSQL("SELECT 1")
  private static let two = HotSQL("SELECT ?1 + 1")

  @Test func `a statement is found by its number, and compiled once`() throws {
    try DatabaseQueue().write { db in
      var statements = HotStatements(db)
      let later = try statements.statement(Self.two)
      let earlier = try statements.statement(Self.one)
      #expect(try statements.statement(Self.two) === later)
      #expect(try statements.statement(Self.one) === earlier)
      let values = try [(later, Int64(1)), (later, 5)].map { statement, number in
        try statement.first(bind: { $0.bind(1, number) }, read: { $0.number(0) })
      }
      #expect(values == [2, 6])
      #expect(try earlier.first(bind: { _ in }, read: { $0.number(0) }) == 1)
    }
  }

  @Test func `an invalid text is an error each time`() throws {
    let invalid = HotSQL("SELECT FROM")
    try DatabaseQueue().write { db in
      var statements = HotStatements(db)
      for _ in 0..<2 {
        #expect(throws: DatabaseError.self) { _ = try statements.statement(invalid) }
      }
    }
  }

  @Test func `texts have numbers of their own`() {
    let numbers = (0..<100).map { HotSQL("SELECT \($0)").number }
    #expect(Set(numbers).count == 100)
  }
}
