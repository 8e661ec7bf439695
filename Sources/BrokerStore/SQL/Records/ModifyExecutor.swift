// Writes the plan of a modify request to the tables, and collects the effects on connected devices. Each
// zone's row is updated once, after its records; that update raises the zone's revision in the same
// transaction.

import BrokerCore
import Records
import SQLConnections

/// Executes the plan of one modify request.
struct ModifyExecutor {
  let transaction: SQLTransaction
  let identity: SessionIdentity
  var effects = CommitEffects()
  /// The commits to the zones written, in the order of their first write. There is nearly always one.
  private(set) var commits: [PendingCommit] = []
  private var created: [ZoneID: StoredZone] = [:]
  private var notifications: NotificationWriter?
  /// The zones whose directory entries changed. Each is processed once a request, because that notifies
  /// all participants of the zone.
  private var touched: [(zone: StoreKey, owner: AccountID)] = []
  /// The zones whose trash was emptied, and through which revision. Each is processed once a request,
  /// because that scans all undelivered notifications of the zone.
  private var erased: [StoreKey: Revision] = [:]

  /// The changes of one zone.
  struct PendingCommit {
    let row: StoreKey
    var commit: ZoneCommit
    /// The records and bytes that the changes add.
    var added = AccountUsage()
    /// The zone's newest revision.
    var head: Revision { commit.changes.last?.tag ?? commit.zone.head }
  }

  init(transaction: SQLTransaction, identity: SessionIdentity) {
    self.transaction = transaction
    self.identity = identity
    // Without any subscription, changes need no matching.
    if !transaction.memory.book.isEmpty {
      notifications = NotificationWriter(transaction: transaction, identity: identity)
    }
  }

  mutating func apply(_ write: ModifyWrites.Write) throws {
    switch write {
    case .createZone(let zone):
      var stored = zone
      stored.key = try transaction.zones.insert(
        zone, container: identity.container, owner: identity.accountKey)
      created[zone.id] = stored
      touch(try row(of: zone.id), of: zone.id)
    case .renameZone(let zone): try update(zone)
    case .deleteZone(let zone):
      let key = try row(of: zone.id)
      touched.removeAll { $0.zone == key }
      effects.add(try transaction.delete(zone, key: key, container: identity.container))
    case .restoreZone(let zone):
      let key = try row(of: zone.id)
      try transaction.zones.restore(zone, key: key, container: identity.container)
      effects.add(
        try transaction.finishCleanUp(
          of: identity.accountKey, joining: key, container: identity.container))
      touch(key, of: zone.id)
    case .notifyOfDeletion(let zone): try repeatDeletion(of: zone)
    case .emptyTrash(let zone):
      try update(zone)
      erased[try row(of: zone.id)] = zone.erasedThrough
    case .record(let zoneID, let change, let before):
      try apply(change, over: before, in: zoneID)
    case .assets(let zoneID, let change, let named):
      try transaction.assets.setUses(
        named, of: change, zone: try row(of: zoneID),
        holder: zoneID.isPublic ? try transaction.creator(of: change) : nil,
        isByParticipant: !zoneID.isPublic && identity.account != zoneID.owner)
    case .parents(let zoneID, let name, let parents, let before):
      let row = try row(of: zoneID)
      try transaction.references.set(parents, before: before, of: name, in: row)
      if !parents.isEmpty { transaction.memory.noteReference(in: row) }
    }
  }

  /// Updates the rows of the zones and their directory entries. Returns the effects of the request.
  mutating func finish() throws -> CommitEffects {
    if let notified = notifications?.effects { effects.add(notified) }
    for (zone, owner) in touched { try touchDirectories(of: zone, owner: owner) }
    effects.zones.reserveCapacity(commits.count)
    for pending in commits {
      var commit = pending.commit
      guard let last = commit.changes.last else { continue }
      transaction.memory.raise(
        WriterMemory.ZoneKey(container: identity.container, id: commit.zone.id),
        row: pending.row, to: last.tag, adding: pending.added)
      commit.zone.head = last.tag
      effects.zones.append(commit)
    }
    for (zone, revision) in erased {
      try transaction.eraseNotifications(in: zone, through: revision)
    }
    return effects
  }

  private mutating func update(_ zone: StoredZone) throws {
    let key = try row(of: zone.id)
    try transaction.zones.update(zone, key: key, container: identity.container)
    touch(key, of: zone.id)
  }

  /// Adds a deleted zone to the account's directory again, if its entry has expired. The device did not
  /// know of the deletion.
  private mutating func repeatDeletion(of zone: ZoneID) throws {
    let key = try row(of: zone)
    let isListed = try DirectoryExpiry(db: transaction.db).hasEntry(
      for: key, container: identity.container, account: identity.accountKey)
    guard !isListed else { return }
    effects.directories.append(
      try transaction.directories.commit(
        zone: key, container: identity.container, account: identity.accountKey))
  }

  private mutating func touch(_ key: StoreKey, of zone: ZoneID) {
    guard !touched.contains(where: { $0.zone == key }) else { return }
    touched.append((key, zone.owner))
  }

  /// Writes a change of a record with everything that depends on it: indexes, usage and notifications.
  mutating func apply(_ change: Change, over before: Change?, in id: ZoneID) throws {
    let index = try commitIndex(of: id)
    try transaction.records.write(
      change, isNew: before == nil, zone: commits[index].row, by: identity.deviceKey)
    if change.hasOtherFormerVersions(than: before) {
      try transaction.records.writeFormerVersions(of: change, zone: commits[index].row)
    }
    if !transaction.memory.indexes.isEmpty {
      try transaction.indexes.update(
        for: change, over: before, in: commits[index].row, transaction.memory.indexes)
    }
    commits[index].commit.changes.append(change)
    let added = Self.usage(by: change, over: before, in: id)
    commits[index].added.add(added)
    if id.isPublic {
      let creator = (added.records < 0 ? before ?? change : change).created.origin.account
      try RecordCounts(db: transaction.db).add(
        added, to: creator, container: identity.container)
      transaction.memory.addUsage(added, to: creator, container: identity.container)
    }
    try notifications?.tell(change, over: before, in: id, key: commits[index].row)
  }

  /// What a change adds to the usage of the zone's owner.
  private static func usage(
    by change: Change, over before: Change?, in zone: ZoneID
  ) -> AccountUsage {
    let states = [(change, 1), (before, -1)].compactMap { state, sign in
      state.flatMap { $0.kind == .saved ? (creator: $0.created.origin.account, sign) : nil }
    }
    var usage = AccountUsage(
      records: states.reduce(0) { $0 + $1.1 },
      bytes: change.storedContent.count + BrokerLimits.bytesPerState)
    guard !zone.isPublic else { return usage }
    // A record that was deleted and is saved again has another creator than its tombstone.
    usage.participantsRecords = states.reduce(0) { $0 + ($1.creator == zone.owner ? 0 : $1.1) }
    if change.modified.origin.account != zone.owner { usage.participantsBytes = usage.bytes }
    return usage
  }

  /// The index of a zone's commit in `commits`; adds a commit for a new zone. Searches from the end,
  /// because the next write mostly concerns the same zone.
  mutating func commitIndex(of id: ZoneID) throws -> Int {
    if let index = commits.lastIndex(where: { $0.commit.zone.id == id }) { return index }
    guard let zone = try zone(id), let row = zone.key else {
      preconditionFailure("A plan writes to a zone that was not gathered.")
    }
    let commit = ZoneCommit(
      container: identity.container, zone: zone, from: zone.head, changes: [])
    commits.append(PendingCommit(row: row, commit: commit))
    return commits.count - 1
  }

  func zone(_ id: ZoneID) throws -> StoredZone? {
    if let zone = created[id] { return zone }
    return try transaction.zones.zone(id, container: identity.container)
  }

  func row(of id: ZoneID) throws -> StoreKey {
    guard let key = try zone(id)?.key else {
      preconditionFailure("A plan writes to a zone that has no row.")
    }
    return key
  }

  /// Updates the zone's entry in the directories of its owner and participants.
  private mutating func touchDirectories(of zone: StoreKey, owner: AccountID) throws {
    let isOwn = owner == identity.account
    let ownerKey =
      isOwn ? identity.accountKey : try transaction.accounts.account(owner)?.key
    effects.add(
      try transaction.updateMemberDirectories(
        in: zone, owner: ownerKey, container: identity.container))
  }
}

extension Change {
  /// Whether the column of former versions must be written: an ordinary save leaves it as it is. What a damaged state had
  /// in it is not known.
  fileprivate func hasOtherFormerVersions(than before: Change?) -> Bool {
    former?.isExact == true || former?.versions != before?.former?.versions
      || before?.isOfDamaged == true
  }
}
