import GRDB
import Testing

@testable import DeviceStore

@Suite("The tables of a device")
struct SchemaTests {
  @Test(arguments: [
    ("SELECT 1 FROM zone WHERE NOT \(GroupDeletion.hides("zone.id"))", "outbox_record"),
    ("SELECT 1 FROM outbox WHERE zone = ?1 AND held = 1", "outbox_held"),
    ("SELECT count(*) FROM outbox WHERE held = 1", "outbox_held"),
    ("SELECT 1 FROM outbox WHERE zone = ?1 AND name IS NULL", "outbox_record"),
    ("SELECT 1 FROM outbox WHERE zone = ?1 AND name = 'a'", "outbox_record"),
    ("SELECT 1 FROM outbox WHERE zone = ?1 AND name IS NULL AND kind = 2", "outbox_record"),
  ])
  func `few unsent edits are found without reading the others`(
    _ sql: String, _ index: String
  ) throws {
    let plan = try plan(of: sql)
    #expect(plan.contains { $0.contains("outbox USING") && $0.contains(index) }, "\(plan)")
  }

  @Test(arguments: [
    ("SELECT * FROM record WHERE zone = ?1 AND name = 'a'", "record_named (name=? AND zone=?)"),
    ("SELECT 1 FROM record WHERE name = 'a'", "record_named (name=?)"),
    ("SELECT * FROM record WHERE name = 'a' AND zone <> ?1", "record_named (name=?)"),
    (
      "\(DeviceReader.recordSelection) WHERE record.name >= 'a' AND record.name < 'b' ORDER BY record.name",
      "record_named (name>? AND name<?)"
    ),
    ("SELECT * FROM record WHERE zone = ?1 AND shown NOT NULL ORDER BY id", "record_zone (zone=?)"),
    ("DELETE FROM record WHERE zone = ?1", "record_zone (zone=?)"),
  ])
  func `a record is found by its name, and those of a zone without the others`(
    _ sql: String, _ search: String
  ) throws {
    let plan = try plan(of: sql)
    #expect(plan.contains { $0.contains(search) }, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test func `first records that wait are found by their names`() throws {
    let plan = try plan(of: FirstRun.waitingRecords(2))
    #expect(plan.contains { $0.contains("record_named (name=? AND zone=?)") }, "\(plan)")
  }

  @Test func `what an action deleted is found by its name`() throws {
    let plan = try plan(
      of: "SELECT max(tombstone) FROM action_edit WHERE tombstone IS NOT NULL AND name = ?")
    #expect(plan.contains { $0.contains("action_edit_tombstone (name=?)") }, "\(plan)")
  }

  private func plan(of sql: String) throws -> [String] {
    let database = try DeviceDatabase.inMemory(schema: [])
    return try database.write { db in
      try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN \(sql)",
        arguments: StatementArguments(
          Array(repeating: 1, count: sql.contains("?1") ? 1 : sql.count { $0 == "?" }))
      ).map { $0["detail"] as String }
    }
  }
}
