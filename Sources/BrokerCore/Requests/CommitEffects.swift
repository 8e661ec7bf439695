import Records

/// The changes of a committed request that the broker must publish or act on.
package struct CommitEffects: Sendable {
  /// The record changes, zone by zone.
  package var zones: [ZoneCommit]
  /// The changes of directories, in commit order.
  package var directories: [DirectoryCommit]
  /// The new notifications, in ascending order of their numbers.
  package var notified: [NotificationCommit]
  /// The accounts that can no longer see a zone.
  package var losses: [AccessLoss] = []
  /// Operations that the broker refused, for the log.
  package var refusals: [ZoneRefusal] = []
  /// The rows of the devices whose notifications are no longer collapsed.
  package var resumed: [StoreKey]
  /// The maintenance jobs that the request left work for.
  package var jobs: Set<Job> = []

  package init(
    zones: [ZoneCommit] = [], directories: [DirectoryCommit] = [],
    notified: [NotificationCommit] = [], resumed: [StoreKey] = []
  ) {
    self.zones = zones
    self.directories = directories
    self.notified = notified
    self.resumed = resumed
  }

  /// Adds effects of the same transaction.
  package mutating func add(_ other: CommitEffects) {
    zones += other.zones
    directories += other.directories
    notified += other.notified
    resumed += other.resumed
    losses += other.losses
    refusals += other.refusals
    jobs.formUnion(other.jobs)
  }
}

/// A new notification and the devices it is for.
package struct NotificationCommit: Hashable, Sendable {
  /// The notification's number.
  package let number: NotificationNumber
  /// The devices, by row.
  package let receivers: [StoreKey]

  package init(number: NotificationNumber, receivers: [StoreKey]) {
    self.number = number
    self.receivers = receivers
  }
}

/// The record changes that one request made in one zone.
package struct ZoneCommit: Sendable {
  /// The row of the application's namespace.
  package let container: StoreKey
  /// The zone after the request.
  package var zone: StoredZone
  /// The zone's head before the request.
  package let from: Revision
  /// The changes in ascending order of their tags. The last tag is the zone's head.
  package var changes: [Change]

  package init(container: StoreKey, zone: StoredZone, from: Revision, changes: [Change]) {
    self.container = container
    self.zone = zone
    self.from = from
    self.changes = changes
  }
}

/// The changes that one request made in an account's directory.
package struct DirectoryCommit: Sendable {
  /// The row of the application's namespace.
  package let container: StoreKey
  /// The row of the account.
  package let account: StoreKey
  package let page: DirectoryPage

  package init(container: StoreKey, account: StoreKey, page: DirectoryPage) {
    self.container = container
    self.account = account
    self.page = page
  }
}
