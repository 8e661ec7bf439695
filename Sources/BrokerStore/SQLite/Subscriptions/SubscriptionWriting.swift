// Subscriptions as transactions change them: row, index, and what the directory tells of it, in one.

import BrokerCore
import GRDB
import Records
import RecordsWire
import SQLiteFile

extension SQLiteTransaction {
  var subscriptions: SubscriptionTable { SubscriptionTable(db: db) }
  var receivers: ReceiverTable { ReceiverTable(db: db) }

  func plan(
    _ form: SubscriptionForm, of identity: SessionIdentity
  ) throws -> SubscriptionPlan {
    let owner = SubscriptionBook.Owner(identity)
    let existing = try subscriptions.existing(form.id, of: owner)
    let zone = try form.zone.flatMap { try zones.zone($0, container: identity.container) }
    let gathered = GatheredForSubscription(
      isRevoked: try isRevoked(identity),
      existing: existing?.state,
      zone: zone, standing: try standing(of: owner, without: existing?.key),
      participation: try zone?.key.flatMap {
        try participants.participation(of: identity.accountKey, in: $0)
      })
    return SubscriptionPlan(
      form, byteCount: form.encoded.count, of: identity, gathered: gathered)
  }

  private func standing(
    of owner: SubscriptionBook.Owner, without key: StoreKey?
  ) throws -> GatheredForSubscription.Standing {
    let account = try db.first(
      """
      SELECT count(*), coalesce(sum(length(bytes)), 0) FROM subscription
      WHERE container = ? AND account = ? AND state = 0 AND key != ?
      """, [owner.container, owner.account, key ?? 0]
    ) { (count: $0[0] as Int, bytes: $0[1] as Int) }
    let replacedBytes = key.flatMap { memory.book.entry($0)?.byteCount } ?? 0
    return GatheredForSubscription.Standing(
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
    // NB: the index first: where it has no room nothing was written yet, and the request is refused.
    try memory.book.insert(
      form, key: key, device: device, byteCount: bytes.count, of: owner, identity.account)
    let revision = try directories.raise(
      container: identity.container, account: identity.accountKey)
    if let existing = try subscriptions.existing(form.id, of: owner) {
      memory.book.remove(existing.key)
      try subscriptions.retire(
        existing.key, to: .replaced, at: try memory.lastNotification(in: db), revision: .zero)
    }
    try subscriptions.supersede(form.id, of: owner)
    let zone = try form.zone.flatMap { try zones.zone($0, container: identity.container)?.key }
    try subscriptions.insert(
      form, key: key, bytes: bytes, device: device, zone: zone, of: owner, revision: revision)
    var effects = try receive(identity, at: now)
    effects.directories.append(
      DirectoryCommit([SubscriptionState(id: form.id, form: form)], of: owner, at: revision))
    return effects
  }

  func receive(_ identity: SessionIdentity, at now: Timestamp) throws -> CommitEffects {
    if try receivers.receiver(of: identity) == nil {
      _ = try receivers.insert(identity, at: try memory.lastNotification(in: db), now: now)
      memory.forgetReceivers()
    }
    return CommitEffects()
  }

  func delete(_ id: SubscriptionID, of identity: SessionIdentity) throws -> CommitEffects {
    let owner = SubscriptionBook.Owner(identity)
    guard let existing = try subscriptions.existing(id, of: owner) else { return CommitEffects() }
    return try retire(existing.key, id, to: .deleted, of: owner)
  }

  /// Takes a subscription out of force. Returns what the account's devices are told, and which of
  /// them have room for notifications again.
  func retire(
    _ key: StoreKey, _ id: SubscriptionID, to state: SubscriptionTable.State,
    of owner: SubscriptionBook.Owner
  ) throws -> CommitEffects {
    try retire([SubscriptionTable.Place(key: key, id: id, owner: owner)], to: state, of: owner)
  }

  /// Takes some of an account's subscriptions out of force, which is told as one. What waits for its
  /// devices is looked through once, however many they are.
  func retire(
    _ places: [SubscriptionTable.Place], to state: SubscriptionTable.State,
    of owner: SubscriptionBook.Owner
  ) throws -> CommitEffects {
    guard !places.isEmpty else { return CommitEffects() }
    var effects = CommitEffects()
    var revision = Revision.zero
    for place in places {
      memory.book.remove(place.key)
      revision = try directories.raise(container: owner.container, account: owner.account)
      try subscriptions.retire(
        place.key, to: state, at: try memory.lastNotification(in: db), revision: revision)
      if state == .deleted { try FoldTable(db: db).remove(place.id, of: owner) }
    }
    if state == .deleted {
      // NB: what nobody is told is never acknowledged, and would fill the device's bound for ever.
      var sweeping = NotificationSweeping(db: db, memory: memory, now: nil)
      effects.unfolded = try sweeping.drop(Set(places.map(\.key)), of: owner)
    }
    if let forgotten = try subscriptions.forgetDeletions(of: owner) {
      try directories.forgetSubscriptions(through: forgotten, of: owner)
    }
    effects.directories = [
      DirectoryCommit(
        places.map { SubscriptionState(id: $0.id, form: nil) }, of: owner, at: revision)
    ]
    return effects
  }

  /// Deletes an account's subscriptions that name a zone which is gone for it, or some of them.
  /// Returns what its devices are told.
  func deleteSubscriptions(
    ofZone zone: StoreKey, of owner: SubscriptionBook.Owner,
    rowsMaximum: Int = Limits.subscriptionsPerAccount
  ) throws -> CommitEffects {
    try retire(
      subscriptions.inForce(inZone: zone, of: owner, rowsMaximum: rowsMaximum), to: .deleted,
      of: owner)
  }

  /// Lets go of what waits for an account's devices and was told of a zone that it lost. Returns which
  /// of them have room again.
  func dropNotifications(
    ofZone zone: StoreKey, account: StoreKey, container: StoreKey
  ) throws -> CommitEffects {
    var sweeping = NotificationSweeping(db: db, memory: memory, now: nil)
    let owner = SubscriptionBook.Owner(container: container, account: account)
    return CommitEffects(unfolded: try sweeping.drop(zone: zone, of: owner))
  }

  /// Switches a subscription off. Returns what the account's devices are told.
  func switchOff(
    _ entry: SubscriptionBook.Entry, because sentence: String
  ) throws -> DirectoryCommit? {
    let owner = SubscriptionBook.Owner(container: entry.container, account: entry.account)
    memory.book.remove(entry.key)
    guard let wording = try subscriptions.wording(entry.key) else { return nil }
    let revision = try directories.raise(container: owner.container, account: owner.account)
    try subscriptions.fail(entry.key, because: sentence)
    try subscriptions.touch(entry.key, revision: revision)
    return DirectoryCommit(
      [
        SubscriptionState(
          id: wording.form.id, form: wording.form, failure: SubscriptionTable.failure(sentence))
      ], of: owner, at: revision)
  }
}

extension SubscriptionBook.Owner {
  init(_ identity: SessionIdentity) {
    self.init(container: identity.container, account: identity.accountKey)
  }
}

extension DirectoryCommit {
  /// Says what became of some subscriptions, each of which raised the revision by one.
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

// MARK: - The store

extension SQLiteRecordStore {
  package func subscriptions(
    after id: SubscriptionID?, of identity: SessionIdentity
  ) throws -> (states: [SubscriptionState], isWhole: Bool) {
    try reading { db in
      try SubscriptionTable(db: db).page(of: SubscriptionBook.Owner(identity), after: id)
    }
  }

  package func notifications(_ read: NotificationRead) throws -> NotificationStretch {
    try reading { db in
      var reading = NotificationReading(
        db: db, origins: origins, read, publicRights: publicRights)
      return try reading.stretch()
    }
  }
}
