// The settings that the user chose for this device, for example the sort order of lists. The store contains only keys
// and values; the agent defines their meaning. Settings are not synchronized.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// The `setting` table.
enum SettingTable {
  static let table = """
    CREATE TABLE setting (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  /// The key of the device's name, if the user has chosen one.
  static let deviceName = "deviceName"

  /// Returns the value for `key`.
  static func value(_ db: Database, _ key: String) throws -> String? {
    try db.row("SELECT value FROM setting WHERE key = ?", [key])?["value"]
  }

  /// Sets `key` to `value`; `nil` deletes it.
  static func set(_ db: Database, _ key: String, to value: String?) throws {
    guard let value else { return try db.run("DELETE FROM setting WHERE key = ?", [key]) }
    try db.run("INSERT OR REPLACE INTO setting VALUES (?, ?)", [key, value])
  }
}

extension DeviceReader {
  /// Returns the value of the setting `key`, in a transaction; `nil` if it is not set.
  package static func setting(_ key: String, _ db: Database) throws -> String? {
    try SettingTable.value(db, key)
  }

  /// Returns the value of the setting `key`; `nil` if it is not set.
  package func setting(_ key: String) throws -> String? {
    try database.read { try SettingTable.value($0, key) }
  }
}

extension Replica {
  /// Sets the setting `key` to `value`, durable on return; `nil` resets it. A projection that depends on the setting
  /// applies it in the same transaction.
  /// - Throws: `StoreError`.
  package func choose(setting key: String, value: String?, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, machine in
      try SettingTable.set(transaction.db, key, to: value)
      for projection in transaction.application.projections
      where try projection.changed(setting: key, at: now, transaction.db) {
        machine.wantsChanged()
      }
      return []
    }
  }
}
