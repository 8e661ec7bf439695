// What a transaction changed, as other brokers on the database must know it. They read the rows; this says which, and what
// concerns their connections.

import Records

/// What the other brokers of a database must know of a transaction, besides the rows themselves.
package struct CommitNotice: Sendable {
  /// The zones whose heads have risen, each once. Only their changes may be set.
  package var zones: [ZoneAdvance] = []
  /// The directories that have changed, each once.
  package var directories: Set<DirectoryKey> = []
  /// The zones that their owners deleted.
  package var deletedZones: Set<FeedKey> = []
  /// The accounts that can no longer see a zone.
  package var losses: [AccessLoss] = []
  /// The sessions that end.
  package var expulsions: [Expulsion] = []
  /// The new notifications, in ascending order of their numbers.
  package var notified: [NotificationCommit] = []
  /// The rows of the devices whose notifications are no longer collapsed.
  package var resumed: [StoreKey] = []
  /// The maintenance jobs that the transaction left work for. The broker that made it may end before it does them.
  package var jobs: Set<Job> = []

  /// The index in `zones` of each zone, by its row.
  private var zoneIndexes: [StoreKey: Int] = [:]

  /// Creates a notice of nothing.
  package init() {}

  /// Creates the notice of a transaction with these results.
  package init(_ results: [StorageResult]) {
    for result in results {
      guard let made = result.made else { continue }
      add(made.effects)
      if let expelled = made.expelled { expulsions.append(expelled) }
    }
  }

  /// Adds what a later transaction changed.
  package mutating func add(_ later: CommitNotice) {
    for zone in later.zones { add(zone) }
    directories.formUnion(later.directories)
    deletedZones.formUnion(later.deletedZones)
    losses += later.losses
    expulsions += later.expulsions
    notified += later.notified
    resumed += later.resumed
    jobs.formUnion(later.jobs)
  }

  private mutating func add(_ effects: CommitEffects) {
    for commit in effects.zones {
      guard let row = commit.zone.key else { continue }
      add(
        ZoneAdvance(
          key: FeedKey(container: commit.container, zone: commit.zone.id), row: row,
          incarnation: commit.zone.incarnation, from: commit.from, head: commit.zone.head))
    }
    for directory in effects.directories {
      directories.insert(DirectoryKey(container: directory.container, account: directory.account))
      for entry in directory.page.entries where entry.isDeleted && entry.role == .owner {
        deletedZones.insert(FeedKey(container: directory.container, zone: entry.zone))
      }
    }
    losses += effects.losses
    notified += effects.notified
    resumed += effects.resumed
    jobs.formUnion(effects.jobs)
  }

  /// Adds the advance of a zone after those that it has.
  package mutating func add(_ zone: ZoneAdvance) {
    guard let index = zoneIndexes[zone.row], zones[index].incarnation == zone.incarnation else {
      zoneIndexes[zone.row] = zones.count
      zones.append(zone)
      return
    }
    zones[index].head = max(zones[index].head, zone.head)
    if let changes = zone.changes {
      zones[index].changes?.append(contentsOf: changes)
    } else {
      zones[index].changes = nil
    }
  }
}

/// The change of a zone's head by other brokers.
package struct ZoneAdvance: Sendable {
  /// The zone and its container.
  package let key: FeedKey
  /// The zone's row.
  package let row: StoreKey
  /// The history that the revisions belong to.
  package let incarnation: Incarnation
  /// The zone's head before.
  package let from: Revision
  /// The zone's head after.
  package var head: Revision
  /// The newest states of the records above `from`, by ascending revision; `nil` if they were not read.
  package var changes: [Change]?

  package init(
    key: FeedKey, row: StoreKey, incarnation: Incarnation, from: Revision, head: Revision,
    changes: [Change]? = nil
  ) {
    self.key = key
    self.row = row
    self.incarnation = incarnation
    self.from = from
    self.head = head
    self.changes = changes
  }
}

extension StorageResult {
  /// What a request changed; `nil` for one that failed or only read.
  fileprivate var made: (effects: CommitEffects, expelled: Expulsion?)? {
    switch self {
    case .signedIn(.success(let signedIn), _):
      (CommitEffects(directories: signedIn.announcements), nil)
    case .administered(.success(let outcome), _, _):
      (outcome.effects.adding(jobs: [.deletedAccounts]), outcome.expelled)
    case .client(let outcome, _): outcome.made
    case .maintained(let result):
      if case .done(let report) = result.outcome { (report.effects, nil) } else { nil }
    case .signedIn, .administered, .joined, .recordedAssets, .foreign: nil
    }
  }
}

extension StorageOutcome {
  fileprivate var made: (effects: CommitEffects, expelled: Expulsion?)? {
    switch self {
    case .modified(_, let effects), .answered(_, let effects): (effects, nil)
    case .deviceChanged(let effects, let expelled): (effects, expelled)
    case .shared(let outcome, _): (outcome.effects, nil)
    case .acknowledged, .attached, .assetOffered, .assetRegistered, .following, .invited: nil
    }
  }
}

extension CommitEffects {
  fileprivate func adding(jobs more: Set<Job>) -> CommitEffects {
    var effects = self
    effects.jobs.formUnion(more)
    return effects
  }
}
