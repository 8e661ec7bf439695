import BrokerCore
import Records
import SQLConnections

/// The `directory_device` table: the devices of an account in its directory. Clients show a change with the
/// name of its device, and users see which devices they have.
struct DirectoryDevices {
  let db: any SQLConnection

  /// A device that signed in within this time needs no new entry.
  private static let freshSeconds: Int64 = 86_400

  /// Updates the entry of a device that signs in, if the device is new, has another name, or has been away
  /// for more than `freshSeconds`. Returns the directory's change in that case. Must be called before the
  /// device's row is updated.
  func noteSignIn(
    _ device: StoredDevice, name: String, container: StoreKey, at now: Timestamp
  ) throws -> DirectoryCommit? {
    let entry = try db.first(
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
      return (isCurrent: row[0] && revision != nil, id: DeviceID(bytes: row[1] as [UInt8]))
    }
    guard let entry, let id = entry.id, !entry.isCurrent else { return nil }
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

  /// Updates the entries of a device that was renamed or removed, in each container. Returns the changes.
  func noteChange(of device: StoredDevice) throws -> [DirectoryCommit] {
    let containers =
      try
      (db.column(
        "SELECT container FROM directory_device WHERE account = ? AND device = ?",
        [device.account.key, device.key]) as [StoreKey])
    return try containers.map { container in
      let revision = try DirectoryTable(db: db).raise(
        container: container, account: device.account.key)
      try db.run(
        """
        UPDATE directory_device SET revision = ? WHERE container = ? AND account = ? AND device = ?
        """, [revision.value, container, device.account.key, device.key])
      let before = Revision(revision.value - 1)
      return DirectoryCommit(
        container: container, account: device.account.key,
        page: DirectoryPage(
          from: before, to: revision, entries: [],
          devices: try devices(
            container: container, account: device.account.key, after: before)))
    }
  }

  /// The devices whose entries changed after `revision`, the latest first, at most
  /// `BrokerLimits.devicesPerDirectory`.
  func devices(
    container: StoreKey, account: StoreKey, after revision: Revision
  ) throws -> [DirectoryDevice] {
    let rows = try db.rows(
      """
      SELECT device.id, name, seen_at, is_revoked FROM directory_device
        JOIN device ON device.key = directory_device.device
      WHERE directory_device.container = ? AND directory_device.account = ? AND revision > ?
      ORDER BY is_revoked, revision DESC LIMIT \(BrokerLimits.devicesPerDirectory)
      """, [container, account, revision.value])
    return try rows.map { row in
      guard let id = DeviceID(bytes: row[0] as [UInt8]) else {
        throw StoreError(.damaged, "A device's id is not 16 bytes long.")
      }
      return DirectoryDevice(
        id: id, name: row[1], seen: Timestamp(microseconds: row[2]), isRemoved: row[3])
    }
  }
}
