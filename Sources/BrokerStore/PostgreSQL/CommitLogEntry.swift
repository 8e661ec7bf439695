// What the log of commits says of a transaction, in protobuf's wire format: a broker of the version before skips fields
// that it does not know. No contents of records.

import BrokerCore
import Records

/// What other brokers must know of a transaction: what it changed for their connections, and what of their memory does not
/// fit the rows any more.
struct CommitLogEntry {
  /// What it changed for connections.
  var notice = CommitNotice()
  /// The rows of the devices whose request numbers have changed.
  var devices: Set<StoreKey> = []
  /// The rows of the subscriptions that were added, changed or removed.
  var subscriptions: Set<StoreKey> = []
  /// The devices that were removed.
  var removedDevices: Set<DeviceID> = []
  /// Whether other rows that brokers remember may have changed.
  var isBroad = false

  /// The entry of a transaction that may have changed anything.
  static var anything: CommitLogEntry {
    var entry = CommitLogEntry()
    entry.isBroad = true
    return entry
  }
}
