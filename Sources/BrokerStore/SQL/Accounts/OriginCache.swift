import BrokerCore
import Records
import SQLConnections
import Synchronization

/// A cache of the ids of devices and their accounts, by row. Every record refers to two devices. The cache
/// takes 48 bytes for each device that has written, and needs no invalidation, because a device never
/// moves to another account.
package final class OriginCache: Sendable {
  private let known = Mutex<[StoreKey: (AccountID, DeviceID)]>([:])

  /// The account and the id of the device with this row.
  func origin(of device: StoreKey, in db: any SQLConnection) throws -> (AccountID, DeviceID) {
    if let origin = known.withLock({ $0[device] }) { return origin }
    let row = try db.first(
      """
      SELECT account.id, device.id FROM device JOIN account ON account.key = device.account
      WHERE device.key = ?
      """, [device]
    ) { $0 }
    guard let row, let account = AccountID(bytes: row[0] as [UInt8]),
      let id = DeviceID(bytes: row[1] as [UInt8])
    else {
      throw StoreError(
        .damaged, "The database has no row for device \(device), which wrote a record.")
    }
    // NB: if a transaction that inserted a device is rolled back, SQLite may give its row to another
    // device. So this function is called only for devices that records name: a device writes records
    // after the transaction that inserted it.
    known.withLock { $0[device] = (account, id) }
    return (account, id)
  }
}
