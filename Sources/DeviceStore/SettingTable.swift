// The settings that the user chose for this device, for example the sort order of lists. The store contains only keys
// and values; the agent defines their meaning. Settings are not synchronized.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// A setting and its new value.
package struct ChosenSetting: Hashable, Sendable {
  let key: String
  let value: String?

  /// - Parameter value: `nil` resets the setting.
  package init(_ key: String, value: String?) {
    self.key = key
    self.value = value
  }
}

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

  /// Sets a setting that the user chose. A projection that depends on it applies it.
  static func choose(
    _ setting: ChosenSetting, _ transaction: DeviceTransaction, _ machine: inout SyncMachine
  ) throws {
    try set(transaction.db, setting.key, to: setting.value)
    for projection in transaction.application.projections
    where try projection.changed(setting: setting.key, at: transaction.now, transaction.db) {
      machine.wantsChanged()
    }
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
      try SettingTable.choose(ChosenSetting(key, value: value), transaction, &machine)
      return []
    }
  }
}
