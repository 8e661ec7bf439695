// An administrator can rewind the broker to a backup, because something bad was done and had spread. What the broker then
// has is later than everything that it had confirmed before: this device takes it, and puts what the backup lacks into the
// trash. Edits that the broker had never confirmed are merged as usual. Rights do not come back.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// The `rewind` table: the rewinds that this device has heard of. The broker may name an earlier one again, after a backup
/// from before the last one was restored.
struct Rewind {
  static let schema = """
    CREATE TABLE rewind (
      id INTEGER PRIMARY KEY,
      revision INTEGER NOT NULL UNIQUE
    ) STRICT;

    """

  /// The rewinds that are remembered.
  private static let rowsMaximum = 64

  let db: Database

  /// Prepares all zones for a rewind that this device has not heard of. Their next reading completes it.
  /// - Parameter revision: The directory's revision at the last rewind; zero if there was none.
  func begin(at revision: Revision) throws {
    guard revision > .zero else { return }
    try db.run("INSERT OR IGNORE INTO rewind (revision) VALUES (?)", [revision.value])
    guard db.changesCount > 0 else { return }
    try db.run(
      "DELETE FROM rewind WHERE id <= (SELECT max(id) FROM rewind) - ?", [Self.rowsMaximum])
    // Titles that were changed later, and deletions, are not repeated. Which deletions of records are later than the backup, the
    // next reading of their zone tells.
    try db.run("UPDATE zone SET is_rewound = 1, title_revision = 0")
    try db.run("DELETE FROM deleted_zone")
  }
}

extension Author {
  /// The author of a deletion that is none by a person: the record was added after the backup to which the broker was
  /// rewound.
  static let rewind = Author(account: nil, device: nil, isLocal: true)
}

extension ZoneRow {
  /// Whether a record that the broker does not have was deleted, because the broker was rewound to a time before it.
  ///
  /// An open conflict is none of those: it has the only copy of a value that was typed, and no trash would show it. It
  /// is saved again.
  func isDeletion(ofMissing row: RecordRow) -> Bool {
    isRewound && row.layers.type != ConflictRecord.recordType
  }
}
