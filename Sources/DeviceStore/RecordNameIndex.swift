// One index of records by name, which replaces two.

import GRDB

enum RecordNameIndex {
  /// Replaces the constraint that a name is unique within its zone by an index that begins with the name. A lookup in
  /// all zones needed a second index, by name alone. The records of an import have names in no order, so each of them
  /// changed a page of both indexes.
  ///
  /// SQLite cannot drop a constraint, so the table is created again, with the indexes and triggers that applications added.
  /// It takes a few seconds for 100,000 records. The space of the former table is used for later changes.
  static func rebuild(_ db: Database) throws {
    let additions = try String.fetchAll(
      db,
      sql: """
        SELECT sql FROM sqlite_master
        WHERE tbl_name = 'record' AND type <> 'table' AND name <> 'record_named' AND sql NOT NULL
        """)
    // The former table has people's content. Triggers of other tables refer to the table while there is none.
    try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA legacy_alter_table = ON")
    try db.execute(sql: table)
    for addition in additions { try db.execute(sql: addition) }
    try db.execute(sql: "PRAGMA legacy_alter_table = OFF")
  }

  // The columns have the order that migrations gave them, because records are read by the numbers of their columns.
  private static let table = """
    CREATE TABLE new_record (
      \(Schema.recordColumns),
      public_id TEXT,
      room BLOB
    ) STRICT;
    INSERT INTO new_record SELECT * FROM record;
    DROP TABLE record;
    ALTER TABLE new_record RENAME TO record;
    CREATE UNIQUE INDEX record_named ON record (name, zone);
    CREATE INDEX record_zone ON record (zone);

    """
}
