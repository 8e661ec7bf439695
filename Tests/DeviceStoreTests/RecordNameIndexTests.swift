import GRDB
import Testing

@testable import DeviceStore

@Suite("The table of records with one index by name")
struct RecordNameIndexTests {
  /// The tables before the change, with what an application added, two records and a layer.
  private func former() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try Schema.migrator([]).migrate(queue, upTo: "23 edits in flight without their fields")
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO zone (id, owner, name, title, role, writable, state) VALUES (1, x'', x'01', '', 0, 1, 0);
          INSERT INTO record VALUES (7, 1, 'b', 'Contact', x'01', 3, x'02', x'03', 4, 5, 6, 1, 1, 'id', x'08'),
            (9, 1, 'a', 'ContactGroup', NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, NULL, NULL);
          INSERT INTO layer (record) SELECT 7;
          CREATE TABLE gone (name TEXT);
          CREATE INDEX record_group ON record (id) WHERE type = 'ContactGroup';
          CREATE TRIGGER record_left AFTER DELETE ON record BEGIN
            INSERT INTO gone VALUES (OLD.name);
          END;
          CREATE TRIGGER gone_twice AFTER INSERT ON gone
            WHEN EXISTS (SELECT 1 FROM record WHERE name = NEW.name) BEGIN
            DELETE FROM record WHERE name = NEW.name;
          END;
          """)
    }
    return queue
  }

  private func rows(_ db: Database, _ sql: String) throws -> [[DatabaseValue]] {
    try Row.fetchAll(db, sql: sql).map { Array($0.databaseValues) }
  }

  @Test func `keeps its rows, and the indexes and triggers of an application`() throws {
    let queue = try former()
    let before = try queue.read { try rows($0, "SELECT * FROM record ORDER BY id") }
    try Schema.migrator([]).migrate(queue)
    try queue.write { db in
      // A later migration has added a column.
      #expect(
        try rows(db, "SELECT * FROM record ORDER BY id") == before.map { $0 + [.null] })
      #expect(
        try rows(db, "SELECT id FROM record INDEXED BY record_group WHERE type = 'ContactGroup'")
          .count == 1)
      try db.execute(sql: "INSERT INTO gone VALUES ('a')")
      #expect(try rows(db, "SELECT name FROM gone").count == 2)
      try db.execute(sql: "DELETE FROM record")
      #expect(try rows(db, "SELECT name FROM gone").count == 3)
      #expect(try rows(db, "SELECT * FROM layer").isEmpty)
    }
  }

  @Test func `has a name once in a zone, and only records of known zones`() throws {
    let queue = try former()
    try Schema.migrator([]).migrate(queue)
    for zone in [1, 2] {
      #expect(throws: DatabaseError.self, "\(zone)") {
        try queue.write { db in
          try db.execute(
            sql: """
              INSERT INTO record (zone, name, type, local_created, local_modified, version)
              VALUES (\(zone), 'b', 'Contact', 0, 0, 0)
              """)
        }
      }
    }
  }
}
