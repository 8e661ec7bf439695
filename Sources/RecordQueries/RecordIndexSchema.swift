// The tables of declared indexes.

import DeviceStore
import GRDB

extension RecordIndex {
  /// The steps of the tables. A database that an application with a `RecordIndex` opens needs them.
  package static let schema = [
    SchemaMigration("record index 1") { db in try db.execute(sql: tables) }
  ]

  // `record_index` has the declared indexes. An index is used once `is_filled` is 1; `filled_through` is the last
  // record that the filling has read. The rows of a dropped index are deleted in steps.
  //
  // `record_key` has the key of each record in each index. Its primary key finds the rows of a record, which has to
  // be possible without its former fields, and `record_key_order` finds the records of a query.
  private static let tables = """
    CREATE TABLE record_index (
      id INTEGER PRIMARY KEY,
      declared TEXT NOT NULL,
      filled_through INTEGER NOT NULL DEFAULT 0,
      is_filled INTEGER NOT NULL DEFAULT 0,
      is_dropped INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE record_key (
      record INTEGER NOT NULL,
      record_index INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      value BLOB NOT NULL,
      PRIMARY KEY (record, record_index)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX record_key_order ON record_key (record_index, zone, value);
    """
}
