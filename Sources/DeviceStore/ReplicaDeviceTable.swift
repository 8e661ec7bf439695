// The account's devices, as its directory lists them. A removed device keeps its row, because its name still
// belongs to the changes that it made, and because a broker that was restored from a backup may have lost the
// removal. This device then requests it again: a removal is permanent.

import GRDB
import Records
import SQLiteFile

/// One device of the account.
package struct DeviceView: Hashable, Sendable {
  /// The device.
  package let id: DeviceID
  /// What it is called.
  package let name: String
  /// When the broker saw it last, to the day.
  package let seen: Timestamp
}

enum ReplicaDeviceTable {
  /// `removal` is 0 for a device of the account, 1 for a removed one, and 2 for a removed one that the broker
  /// lists again.
  static let schema = """
    CREATE TABLE device (
      id BLOB PRIMARY KEY,
      name TEXT NOT NULL,
      seen INTEGER NOT NULL,
      removal INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;

    """

  /// Stores devices of a directory page.
  static func keep(_ devices: [DirectoryDevice], _ db: Database) throws {
    for device in devices {
      try db.run(
        """
        INSERT INTO device (id, name, seen, removal) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (id) DO UPDATE SET name = ?2, seen = ?3,
          removal = CASE WHEN ?4 = 0 AND removal > 0 THEN 2 ELSE ?4 END
        """,
        [device.id.column, device.name, device.seen.microseconds, device.isRemoved ? 1 : 0])
    }
    try db.run(
      """
      DELETE FROM device WHERE id IN (
        SELECT id FROM device ORDER BY seen DESC LIMIT -1 OFFSET \(DeviceLimits.rowsPerList))
      """)
  }

  /// The removed devices that the broker lists again.
  static func reappeared(_ db: Database) throws -> [DeviceID] {
    try db.rows("SELECT id FROM device WHERE removal = 2").compactMap {
      DeviceID(column: $0["id"])
    }
  }
}

extension DeviceReader {
  /// The account's devices, the latest seen first, with removed devices if `includingRemoved`.
  package func devices(includingRemoved: Bool = false) throws -> [DeviceView] {
    try database.read { db in
      try db.rows(
        "SELECT * FROM device WHERE ? OR removal = 0 ORDER BY seen DESC, name", [includingRemoved]
      ).compactMap { row in
        DeviceID(column: row["id"]).map {
          DeviceView(id: $0, name: row["name"], seen: Timestamp(microseconds: row["seen"]))
        }
      }
    }
  }
}
