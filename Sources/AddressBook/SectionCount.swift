// The counts of the headings. They are summed up in a transaction and written at its end.

import GRDB
import SQLiteFile

/// How many contacts stand under a heading.
enum SectionCount {
  struct Key: Hashable {
    let generation: Int64
    let zone: Int64
    /// The order, by its place among `NameOrder.allCases`.
    let sort: Int64
    let section: UInt32
  }

  /// Changes a count; a heading without contacts goes.
  static func add(_ change: Int64, to key: Key, _ db: Database) throws {
    let columns: StatementArguments = [key.generation, key.zone, key.sort, Int64(key.section)]
    try db.run(
      """
      INSERT INTO contact_section VALUES (?, ?, ?, ?, ?) ON CONFLICT
        DO UPDATE SET contacts = contacts + excluded.contacts
      """, columns + [change])
    guard change < 0 else { return }
    try db.run(
      """
      DELETE FROM contact_section WHERE generation = ? AND zone = ? AND sort = ? AND section = ?
        AND contacts <= 0
      """, columns)
  }
}
