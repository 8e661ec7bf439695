import GRDB
import Testing

@testable import DeviceStore

@Suite("The table of records with one index by name")
struct RecordNameIndexTests {
  @Test func `has a name once in a zone, and only records of known zones`() throws {
    let database = try DeviceDatabase.inMemory(schema: [])
    try database.writer.write { db in
      try db.execute(
        sql: """
          INSERT INTO zone (id, owner, name, title, role, writable, state) VALUES (1, x'', x'01', '', 0, 1, 0);
          INSERT INTO record (zone, name, type, local_created, local_modified, version)
            VALUES (1, 'b', 'Contact', 0, 0, 0);
          """)
    }
    for zone in [1, 2] {
      #expect(throws: DatabaseError.self, "\(zone)") {
        try database.writer.write { db in
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
