import BrokerPostgreSQL
import BrokerStore
import Testing

@Suite("S4 copied tables")
struct CopiedTableTests {
  @Test func `a copy has every table and column of a new store`() throws {
    let (from, to) = (try CopiedPlace.make(.file), try CopiedPlace.make(.file))
    _ = try from.open()
    var copied: Set<String> = []
    try from.copy(to: to) { step in
      if case .verified(let rows) = step { copied.insert(rows.table) }
    }
    let tables = try to.tables()
    #expect(copied == Set(tables.keys) && copied.count > 30)
    for kind in CopiedPlace.Kind.available {
      let fresh = try CopiedPlace.make(kind)
      _ = try fresh.open()
      #expect(
        try fresh.tables().filter { !CopiedPlace.tablesOfServer.contains($0.key) } == tables,
        "A new table must be copied: it belongs into both databases, or to the tables of the server"
      )
    }
  }
}
