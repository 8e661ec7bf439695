import BrokerCore
import Records
import SQLConnections

/// Deletes pending notifications that will never be sent: those of deleted subscriptions, and those about
/// zones that an account can no longer see. A device acknowledges only what it was sent, so these entries
/// would count against its limit forever.
extension BacklogWriter {
  /// Deletes the pending notifications of some subscriptions of an account. Returns the devices whose
  /// delivery resumes.
  mutating func deleteNotifications(
    of subscriptions: Set<StoreKey>, owner: SubscriptionBook.Owner
  ) throws -> [StoreKey] {
    for key in try receivers.waiting(of: owner) {
      try deleteEntries(of: key) { subscription, _ in subscriptions.contains(subscription) }
    }
    try save()
    return result.resumed
  }

  /// Deletes an account's pending notifications about a zone, collapsed ones included. Returns the devices
  /// whose delivery resumes.
  mutating func deleteNotifications(
    aboutZone zone: StoreKey, owner: SubscriptionBook.Owner
  ) throws -> [StoreKey] {
    for key in try receivers.all(of: owner) {
      try collapsed.remove(zone: zone, of: key)
      try deleteEntries(of: key) { _, changedZone in changedZone == zone }
    }
    try save()
    return result.resumed
  }

  /// Deletes a device's entries for which `isDeleted` returns true, given the rows of their subscription and
  /// zone.
  private mutating func deleteEntries(
    of key: StoreKey, where isDeleted: (StoreKey, StoreKey) -> Bool
  ) throws {
    guard var receiver = try receiver(key), receiver.waiting > 0 else { return }
    let rows = try db.rows(
      """
      SELECT waiting.number, subscription, zone FROM waiting
      JOIN notification ON notification.number = waiting.number WHERE receiver = ?
      """, [key])
    for row in rows where isDeleted(row[1], row[2]) {
      try db.run(
        "DELETE FROM waiting WHERE receiver = ? AND number = ? AND subscription = ?",
        [key, row[0] as Int64, row[1] as StoreKey])
      receiver.waiting -= try release(row[0], entries: 1)
    }
    try resumeDelivery(to: &receiver)
    set(receiver)
  }
}
