import Records

/// What the store does about notifications that were committed some time ago.
package struct NotificationCleanup: Hashable, Sendable {
  /// The highest number that each device has acknowledged, by the device's row.
  package let acknowledged: [StoreKey: NotificationNumber]
  /// The number up to which a device needs nothing although it has not acknowledged it, by its row.
  package let passed: [StoreKey: NotificationNumber]
  /// Notifications up to here are old enough to be moved for absent devices; `nil` for all.
  package let through: NotificationNumber?

  package init(
    acknowledged: [StoreKey: NotificationNumber],
    passed: [StoreKey: NotificationNumber] = [:], through: NotificationNumber?
  ) {
    self.acknowledged = acknowledged
    self.passed = passed
    self.through = through
  }
}

/// What accumulates between two cleanups.
struct CleanupAccumulator: Sendable {
  private var acknowledged: [StoreKey: NotificationNumber] = [:]
  private var passed: [StoreKey: NotificationNumber] = [:]
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

  mutating func passed(_ number: NotificationNumber, by receiver: StoreKey) {
    passed[receiver] = max(passed[receiver] ?? .none, number)
    isDue = true
  }

  mutating func begin() -> NotificationCleanup {
    let sweep = NotificationCleanup(
      acknowledged: acknowledged, passed: passed,
      through: highest == nil ? nil : old ?? NotificationNumber.none)
    underWay = sweep
    isDue = old != highest
    (acknowledged, passed) = ([:], [:])
    return sweep
  }

  mutating func succeeded() { underWay = nil }

  mutating func failed() {
    acknowledged.merge(underWay?.acknowledged ?? [:]) { max($0, $1) }
    passed.merge(underWay?.passed ?? [:]) { max($0, $1) }
    underWay = nil
    isDue = true
  }

  mutating func secondEnded() { old = highest }
}

/// What a step of the cleanup did.
package struct CleanedNotifications: Hashable, Sendable {
  /// The devices whose notifications are delivered again instead of collapsed, by row.
  package var resumed: [StoreKey]
  /// Whether there is more to do.
  package var isMore: Bool

  package init(resumed: [StoreKey] = [], isMore: Bool = false) {
    self.resumed = resumed
    self.isMore = isMore
  }
}
