// Changes to subscriptions. Each updates the table, the in-memory index and the account's directory in one
// transaction.

import BrokerCore
import Records
import RecordsWire
import SQLConnections

extension SQLTransaction {
  var subscriptions: SubscriptionTable { SubscriptionTable(db: db) }
  var receivers: ReceiverTable { ReceiverTable(db: db) }

  func plan(
    _ form: SubscriptionForm, of identity: SessionIdentity
  ) throws -> SubscriptionPlan {
    let owner = SubscriptionBook.Owner(identity)
    let existing = try subscriptions.active(form.id, of: owner)
    let zone = try form.zone.flatMap { try zones.zone($0, container: identity.container) }
    let gathered = SubscriptionRows(
      isRevoked: try isRevoked(identity),
      existing: existing?.state,
      zone: zone, usage: try usage(of: owner, excluding: existing?.key),
      participation: try zone?.key.flatMap {
        try participants.participation(of: identity.accountKey, in: $0)
      })
    return SubscriptionPlan(
      form, byteCount: form.encoded.count, of: identity, gathered: gathered)
  }

  /// Returns the number and size of an account's active subscriptions, and the size of all accounts',
  /// excluding the one that is about to be replaced.
  private func usage(
    of owner: SubscriptionBook.Owner, excluding key: StoreKey?
  ) throws -> SubscriptionRows.Usage {
    let account = try db.first(
      """
      SELECT count(*), coalesce(sum(length(bytes)), 0) FROM subscription
      WHERE container = ? AND account = ? AND state = 0 AND key != ?
      """, [owner.container, owner.account, key ?? 0]
    ) { (count: $0[0] as Int, bytes: $0[1] as Int) }
    let replacedBytes = key.flatMap { memory.book.entry($0)?.byteCount } ?? 0
    return SubscriptionRows.Usage(
      count: account?.count ?? 0, accountBytes: account?.bytes ?? 0,
      allBytes: memory.book.allBytes - replacedBytes)
  }

  func save(
    _ form: SubscriptionForm, of identity: SessionIdentity, at now: Timestamp
  ) throws -> CommitEffects {
    let owner = SubscriptionBook.Owner(identity)
    let bytes = form.encoded
    let device = form.device.map { _ in identity.deviceKey }
    let key = try subscriptions.nextKey()
    let version = SubscriptionTable.Version(
      key: key, form: form, owner: owner, accountID: identity.account, device: device,
      byteCount: bytes.count)
    // NB: the in-memory index first. If it rejects the subscription, nothing has been written yet.
    try memory.book.insert(version)
    let revision = try directories.raise(
      container: identity.container, account: identity.accountKey)
    if let existing = try subscriptions.active(form.id, of: owner) {
      memory.book.remove(existing.key)
      try subscriptions.deactivate(
        existing.key, as: .replaced, at: try memory.lastNotificationNumber(in: db), revision: .zero)
    }
    try subscriptions.supersede(form.id, of: owner)
    let zone = try form.zone.flatMap { try zones.zone($0, container: identity.container)?.key }
    try subscriptions.insert(version, bytes: bytes, zone: zone, revision: revision)
    var effects = try receive(identity, at: now)
    effects.directories.append(
      DirectoryCommit([SubscriptionState(id: form.id, form: form)], of: owner, at: revision))
    return effects
  }

  func receive(_ identity: SessionIdentity, at now: Timestamp) throws -> CommitEffects {
    if try receivers.receiver(of: identity) == nil {
      _ = try receivers.insert(identity, at: try memory.lastNotificationNumber(in: db), now: now)
      memory.invalidateReceivers()
    }
    return CommitEffects()
  }

  func delete(_ id: SubscriptionID, of identity: SessionIdentity) throws -> CommitEffects {
    let owner = SubscriptionBook.Owner(identity)
    guard let existing = try subscriptions.active(id, of: owner) else { return CommitEffects() }
    return try deactivate(
      [SubscriptionTable.ActiveRow(key: existing.key, id: id, owner: owner)], as: .deleted,
      of: owner)
  }

  /// Deactivates some of an account's subscriptions and removes them from its directory in one update. If
  /// `state` is `deleted`, deletes their pending notifications, examining each backlog once, however many
  /// subscriptions there are.
  func deactivate(
    _ rows: [SubscriptionTable.ActiveRow], as state: SubscriptionTable.State,
    of owner: SubscriptionBook.Owner
  ) throws -> CommitEffects {
    guard !rows.isEmpty else { return CommitEffects() }
    var effects = CommitEffects()
    var revision = Revision.zero
    for row in rows {
      memory.book.remove(row.key)
      revision = try directories.raise(container: owner.container, account: owner.account)
      try subscriptions.deactivate(
        row.key, as: state, at: try memory.lastNotificationNumber(in: db), revision: revision)
      if state == .deleted { try CollapsedNotificationTable(db: db).delete(row.id, of: owner) }
    }
    if state == .deleted {
      // NB: devices acknowledge only what they are sent. Without this, pending notifications that are not
      // sent any more would count against a device's limit forever.
      var backlogs = BacklogWriter(db: db, memory: memory, now: nil)
      effects.resumed = try backlogs.deleteNotifications(of: Set(rows.map(\.key)), owner: owner)
    }
    if let removed = try subscriptions.removeOldDeletions(of: owner) {
      try directories.expireSubscriptionDeletions(through: removed, of: owner)
    }
    effects.directories = [
      DirectoryCommit(
        rows.map { SubscriptionState(id: $0.id, form: nil) }, of: owner, at: revision)
    ]
    return effects
  }

  /// Deletes up to `rowsMaximum` subscriptions of an account whose scope is a zone that the account lost.
  func deleteSubscriptions(
    ofZone zone: StoreKey, of owner: SubscriptionBook.Owner,
    rowsMaximum: Int = Limits.subscriptionsPerAccount
  ) throws -> CommitEffects {
    try deactivate(
      subscriptions.activeRows(inZone: zone, of: owner, rowsMaximum: rowsMaximum), as: .deleted,
      of: owner)
  }

  /// Deletes an account's pending notifications about a zone that the account lost.
  func deletePendingNotifications(
    ofZone zone: StoreKey, account: StoreKey, container: StoreKey
  ) throws -> CommitEffects {
    var backlogs = BacklogWriter(db: db, memory: memory, now: nil)
    let owner = SubscriptionBook.Owner(container: container, account: account)
    return CommitEffects(
      resumed: try backlogs.deleteNotifications(aboutZone: zone, owner: owner))
  }

  /// Switches a subscription off. The account sees `reason` in its directory. Returns the directory's
  /// update; `nil` if the subscription is not active.
  func switchOff(
    _ entry: SubscriptionBook.Entry, reason: String
  ) throws -> DirectoryCommit? {
    let owner = SubscriptionBook.Owner(container: entry.container, account: entry.account)
    memory.book.remove(entry.key)
    guard let version = try subscriptions.activeVersion(entry.key) else { return nil }
    let revision = try directories.raise(container: owner.container, account: owner.account)
    try subscriptions.setFailure(reason, of: entry.key)
    try subscriptions.setRevision(revision, of: entry.key)
    return DirectoryCommit(
      [
        SubscriptionState(
          id: version.form.id, form: version.form, failure: SubscriptionTable.failure(reason))
      ], of: owner, at: revision)
  }
}

extension SubscriptionBook.Owner {
  init(_ identity: SessionIdentity) {
    self.init(container: identity.container, account: identity.accountKey)
  }
}

extension DirectoryCommit {
  /// An update with the new states of some subscriptions, each of which raised the revision by one.
  fileprivate init(
    _ states: [SubscriptionState], of owner: SubscriptionBook.Owner, at revision: Revision
  ) {
    self.init(
      container: owner.container, account: owner.account,
      page: DirectoryPage(
        from: Revision(revision.value - Int64(states.count)), to: revision, entries: [],
        subscriptions: states))
  }
}

// MARK: - Reading

extension SQLRecordStore {
  package func subscriptions(
    after id: SubscriptionID?, of identity: SessionIdentity
  ) throws -> (states: [SubscriptionState], isWhole: Bool) {
    try reading { db in
      try SubscriptionTable(db: db).page(of: SubscriptionBook.Owner(identity), after: id)
    }
  }

  package func notifications(_ read: NotificationRead) throws -> NotificationBatch {
    try reading { db in
      var reader = NotificationPageReader(
        db: db, origins: origins, read, publicRights: publicRights)
      return try reader.page()
    }
  }
}
