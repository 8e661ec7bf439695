// Which device a row's number stands for. Every record names two devices, so they are looked up
// once and remembered: 48 bytes for each device that ever wrote, and devices never change account.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile
import Synchronization

/// The ids behind the rows of devices.
final class OriginCache: Sendable {
  private let known = Mutex<[StoreKey: (AccountID, DeviceID)]>([:])

  /// The account and the id of the device with this row.
  func origin(of device: StoreKey, in db: Database) throws -> (AccountID, DeviceID) {
    if let origin = known.withLock({ $0[device] }) { return origin }
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT account.id, device.id FROM device JOIN account ON account.key = device.account
          WHERE device.key = ?
          """), arguments: [device])
    guard let row, let account = AccountID(bytes: row[0] as Data),
      let id = DeviceID(bytes: row[1] as Data)
    else { throw StoreError(.damaged, "A record names device \(device), which has no row.") }
    // NB: nothing is remembered that was read in a transaction which may yet be undone, except a
    // device entered in it; its key could then be given to another. Rows of devices are therefore
    // only read back from records, which a device writes after its own transaction.
    known.withLock { $0[device] = (account, id) }
    return (account, id)
  }
}
