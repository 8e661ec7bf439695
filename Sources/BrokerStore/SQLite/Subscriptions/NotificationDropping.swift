// What waits for devices and will never be sent makes room for what will: what a deleted subscription
// told, and what was told of a zone that an account can no longer see. A device acknowledges only what
// it was sent, so without this a bound that is full of such things would stay full for ever.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

extension NotificationSweeping {
  /// Lets go of what waits for an account's devices in wordings that nobody is to hear any more.
  /// Returns the devices that have room again.
  mutating func drop(
    _ subscriptions: Set<StoreKey>, of owner: SubscriptionBook.Owner
  ) throws -> [StoreKey] {
    for key in try receivers.waiting(of: owner) {
      try drop(from: key) { subscription, _ in subscriptions.contains(subscription) }
    }
    try finish()
    return result.unfolded
  }

  /// Lets go of what waits for an account's devices and was told of a zone that it lost. Returns the
  /// devices that have room again.
  mutating func drop(
    zone: StoreKey, of owner: SubscriptionBook.Owner
  ) throws -> [StoreKey] {
    for key in try receivers.all(of: owner) {
      try folds.remove(zone: zone, of: key)
      try drop(from: key) { _, place in place == zone }
    }
    try finish()
    return result.unfolded
  }

  /// Lets go of the entries of a device that are so, by the rows of their subscription and zone.
  private mutating func drop(
    from key: StoreKey, where isDropped: (StoreKey, StoreKey) -> Bool
  ) throws {
    guard var receiver = try receiver(key), receiver.waiting > 0 else { return }
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT waiting.number, subscription, zone FROM waiting
          JOIN notification ON notification.number = waiting.number WHERE receiver = ?
          """), arguments: [key])
    for row in rows where isDropped(row[1], row[2]) {
      try db.run(
        "DELETE FROM waiting WHERE receiver = ? AND number = ? AND subscription = ?",
        [key, row[0] as Int64, row[1] as StoreKey])
      receiver.waiting -= try release(row[0], entries: 1)
    }
    try unfold(&receiver)
    set(receiver)
  }
}
