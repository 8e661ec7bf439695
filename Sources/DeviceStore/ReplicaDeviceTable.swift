// The account's devices as the directory tells them, so that whoever changed something has a name.

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
  static let schema = """
    CREATE TABLE device (
      id BLOB PRIMARY KEY,
      name TEXT NOT NULL,
      seen INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  /// Takes up what the directory tells. A device that is gone keeps its name: what it changed is
  /// still there.
  static func keep(_ devices: [DirectoryDevice], _ db: Database) throws {
    for device in devices {
      try db.run(
        "INSERT OR REPLACE INTO device VALUES (?, ?, ?)",
        [device.id.column, device.name, device.seen.microseconds])
    }
    guard !devices.isEmpty else { return }
    try db.run(
      """
      DELETE FROM device WHERE id IN (
        SELECT id FROM device ORDER BY seen DESC LIMIT -1 OFFSET \(DeviceLimits.rowsPerList))
      """)
  }
}

extension DeviceReader {
  /// The account's devices that are known here, the latest seen first.
  package func devices() throws -> [DeviceView] {
    try database.read { db in
      try db.rows("SELECT * FROM device ORDER BY seen DESC, name").compactMap { row in
        DeviceID(column: row["id"]).map {
          DeviceView(id: $0, name: row["name"], seen: Timestamp(microseconds: row["seen"]))
        }
      }
    }
  }
}
