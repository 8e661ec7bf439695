// What a person chose for this device while it ran: which rules forms follow, what leads the list.
// The store keeps words; what they mean and which there are is the agent's business. They stay on
// this device.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum SettingTable {
  static let table = """
    CREATE TABLE setting (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  /// What the device is called, where somebody chose it.
  static let deviceName = "deviceName"

  /// What was chosen for `key`.
  static func value(_ db: Database, _ key: String) throws -> String? {
    try db.row("SELECT value FROM setting WHERE key = ?", [key])?["value"]
  }

  /// Sets `key` to `value`; `nil` forgets it.
  static func set(_ db: Database, _ key: String, to value: String?) throws {
    guard let value else { return try db.run("DELETE FROM setting WHERE key = ?", [key]) }
    try db.run("INSERT OR REPLACE INTO setting VALUES (?, ?)", [key, value])
  }
}

extension DeviceReader {
  /// What was chosen for the setting `key`, in a transaction; `nil` when nothing was.
  package static func setting(_ key: String, _ db: Database) throws -> String? {
    try SettingTable.value(db, key)
  }

  /// What was chosen for the setting `key`; `nil` when nothing was.
  package func setting(_ key: String) throws -> String? {
    try database.read { try SettingTable.value($0, key) }
  }
}

extension Replica {
  /// Chooses `value` for the setting `key`, durable on return; `nil` takes the choice back. A
  /// projection that follows the setting applies it in the same transaction.
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
