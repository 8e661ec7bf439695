import Records

/// Work for the store: acknowledgments to record, and old notifications to archive.
package struct NotificationCleanup: Hashable, Sendable {
  /// The highest number that each device has acknowledged, by the device's row.
  package let acknowledged: [StoreKey: NotificationNumber]
  /// The number through which a device's entries may be deleted although it has not acknowledged them, by
  /// the device's row. See `Delivery.releaseUnreadable`.
  package let released: [StoreKey: NotificationNumber]
  /// The number through which notifications are old enough to be archived for absent devices; `nil` for all.
  package let through: NotificationNumber?

  package init(
    acknowledged: [StoreKey: NotificationNumber],
    released: [StoreKey: NotificationNumber] = [:], through: NotificationNumber?
  ) {
    self.acknowledged = acknowledged
    self.released = released
    self.through = through
  }
}

/// Collects the work of the next cleanup.
struct CleanupAccumulator: Sendable {
  private var acknowledged: [StoreKey: NotificationNumber] = [:]
  private var released: [StoreKey: NotificationNumber] = [:]
  /// The highest number that was committed since the broker started.
  private var highest: NotificationNumber?
  /// The highest number that had been committed when the last second ended.
  private var old: NotificationNumber?
  private var underWay: NotificationCleanup?
  /// Whether a cleanup would do something. True at the start, because the last process may have left work.
  private(set) var isDue = true

  mutating func committed(_ number: NotificationNumber) {
    isDue = true
    highest = max(highest ?? .none, number)
  }

  mutating func acknowledged(_ number: NotificationNumber, by receiver: StoreKey) {
    acknowledged[receiver] = max(acknowledged[receiver] ?? .none, number)
    isDue = true
  }

  mutating func released(_ number: NotificationNumber, by receiver: StoreKey) {
    released[receiver] = max(released[receiver] ?? .none, number)
    isDue = true
  }

  mutating func begin() -> NotificationCleanup {
    let cleanup = NotificationCleanup(
      acknowledged: acknowledged, released: released,
      through: highest == nil ? nil : old ?? NotificationNumber.none)
    underWay = cleanup
    isDue = old != highest
    (acknowledged, released) = ([:], [:])
    return cleanup
  }

  mutating func succeeded() { underWay = nil }

  mutating func failed() {
    acknowledged.merge(underWay?.acknowledged ?? [:]) { max($0, $1) }
    released.merge(underWay?.released ?? [:]) { max($0, $1) }
    underWay = nil
    isDue = true
  }

  mutating func secondEnded() { old = highest }
}

/// The result of one step of the cleanup.
package struct CleanedNotifications: Hashable, Sendable {
  /// The rows of the devices whose notifications are no longer collapsed.
  package var resumed: [StoreKey]
  /// Whether there is more to do.
  package var isMore: Bool

  package init(resumed: [StoreKey] = [], isMore: Bool = false) {
    self.resumed = resumed
    self.isMore = isMore
  }
}
