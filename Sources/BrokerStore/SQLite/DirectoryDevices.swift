// The devices of an account, as its directory tells them: so that a change can be shown with the
// name of the device it was made on, and people see which devices they have.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// The `directory_device` table.
struct DirectoryDevices {
  let db: Database

  /// A device that was here within this time is not told again.
  private static let freshSeconds: Int64 = 86_400

  /// Notes that a device signs in under a name; to be called before the device's own row is
  /// changed. Returns what the account's other devices have to be told: it is new, it goes by
  /// another name, or it was away for more than a day.
  func enter(
    _ device: StoredDevice, name: String, container: StoreKey, at now: Timestamp
  ) throws -> DirectoryCommit? {
    let told = try db.first(
      """
      SELECT name = ? AND seen_at > ?, id, (SELECT revision FROM directory_device
        WHERE container = ? AND account = ? AND device = device.key) FROM device WHERE key = ?
      """,
      [
        name, now.adding(seconds: -Self.freshSeconds).microseconds, container, device.account.key,
        device.key,
      ]
    ) { row in
      let revision: Int64? = row[2]
      return (isTold: row[0] && revision != nil, id: DeviceID(bytes: row[1] as Data))
    }
    guard let told, let id = told.id, !told.isTold else { return nil }
    let revision = try DirectoryTable(db: db).raise(
      container: container, account: device.account.key)
    try db.run(
      """
      INSERT INTO directory_device (container, account, device, revision) VALUES (?, ?, ?, ?)
      ON CONFLICT (container, account, device) DO UPDATE SET revision = excluded.revision
      """, [container, device.account.key, device.key, revision.value])
    return DirectoryCommit(
      container: container, account: device.account.key,
      page: DirectoryPage(
        from: Revision(revision.value - 1), to: revision, entries: [],
        devices: [DirectoryDevice(id: id, name: name, seen: now)]))
  }

  /// The devices that were told after `revision`, the latest first, and of many only those.
  func devices(
    container: StoreKey, account: StoreKey, after revision: Revision
  ) throws -> [DirectoryDevice] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT device.id, name, seen_at FROM directory_device
            JOIN device ON device.key = directory_device.device
          WHERE directory_device.container = ? AND directory_device.account = ? AND revision > ?
          ORDER BY revision DESC LIMIT \(BrokerLimits.devicesTold)
          """), arguments: [container, account, revision.value])
    return try rows.map { row in
      guard let id = DeviceID(bytes: row[0] as Data) else {
        throw StoreError(.damaged, "A device's id has not 16 bytes.")
      }
      return DirectoryDevice(id: id, name: row[1], seen: Timestamp(microseconds: row[2]))
    }
  }
}
