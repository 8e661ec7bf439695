import BrokerCore
import Records

/// What other brokers must know of a transaction: what it changed for their connections, and what of their memory does not
/// fit the rows any more.
package struct CommitLogEntry {
  /// What it changed for connections.
  package var notice: CommitNotice
  /// The rows of the devices whose request numbers have changed.
  package var devices: Set<StoreKey>
  /// The rows of the subscriptions that were added, changed or removed.
  package var subscriptions: Set<StoreKey>
  /// The devices that were removed.
  package var removedDevices: Set<DeviceID>
  /// Whether other rows that brokers remember may have changed.
  package var isBroad: Bool

  package init(
    notice: CommitNotice = CommitNotice(), devices: Set<StoreKey> = [],
    subscriptions: Set<StoreKey> = [], removedDevices: Set<DeviceID> = [], isBroad: Bool = false
  ) {
    self.notice = notice
    self.devices = devices
    self.subscriptions = subscriptions
    self.removedDevices = removedDevices
    self.isBroad = isBroad
  }

  /// The entry of a transaction that may have changed anything.
  package static var anything: CommitLogEntry {
    CommitLogEntry(isBroad: true)
  }
}
