import GRDB
import Testing

@testable import DeviceStore

@Suite("The tables of a device")
struct SchemaTests {
  @Test(arguments: [
    ("SELECT 1 FROM zone WHERE NOT \(DeletionHold.hides("zone.id"))", "outbox_held"),
    ("SELECT 1 FROM outbox WHERE zone = ?1 AND held = 1", "outbox_held"),
    ("SELECT count(*) FROM outbox WHERE held = 1", "outbox_held"),
    ("SELECT 1 FROM outbox WHERE zone = ?1 AND name IS NULL", "outbox_record"),
    ("SELECT 1 FROM outbox WHERE zone = ?1 AND name = 'a'", "outbox_record"),
    ("SELECT 1 FROM outbox WHERE zone = ?1 AND name IS NULL AND kind = 2", "outbox_record"),
  ])
  func `few unsent edits are found without reading the others`(
    _ sql: String, _ index: String
  ) throws {
    let database = try DeviceDatabase.inMemory(schema: [])
    let plan = try database.read { db in
      try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: sql.contains("?1") ? [1] : []
      ).map { $0["detail"] as String }
    }
    #expect(plan.contains { $0.contains("outbox USING") && $0.contains(index) }, "\(plan)")
  }
}
