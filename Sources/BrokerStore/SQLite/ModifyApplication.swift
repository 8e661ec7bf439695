// Carries out a plan's writes on SQLite and collects whom they concern. Each zone's row is updated
// once, after its records: that update is what raises the revision in the same transaction.

import BrokerCore
import Records
import SQLiteFile

/// A plan on its way into the tables.
struct ModifyApplication {
  let transaction: SQLiteTransaction
  let identity: SessionIdentity
  var effects = CommitEffects()
  /// The zones written to, in the order of their first write; nearly always one.
  private(set) var commits: [Written] = []
  private var created: [ZoneID: StoredZone] = [:]
  private var notifications: NotificationWriting?
  /// The zones whose directory entries changed: told once for a request, however often it says so,
  /// because each is told to everybody who is in it.
  private var touched: [(zone: StoreKey, owner: AccountID)] = []
  /// Up to where zones' trash was emptied: once for a request, however often it says so, because all
  /// that was told and still waits is looked through.
  private var erased: [StoreKey: Revision] = [:]

  /// What was written to a zone with this row.
  struct Written {
    let row: StoreKey
    var commit: ZoneCommit
    /// The records and bytes added.
    var added = AccountUsage()
    /// Its newest revision.
    var head: Revision { commit.changes.last?.tag ?? commit.zone.head }
  }

  init(transaction: SQLiteTransaction, identity: SessionIdentity) {
    self.transaction = transaction
    self.identity = identity
    // Where nobody subscribed to anything, nothing is asked and nothing kept.
    if !transaction.memory.book.isEmpty {
      notifications = NotificationWriting(transaction: transaction, identity: identity)
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
    case .tellDeletion(let zone): try tellDeletion(of: zone)
    case .emptyTrash(let zone):
      try update(zone)
      erased[try row(of: zone.id)] = zone.erasedThrough
    case .record(let zoneID, let change, let before):
      try apply(change, over: before, in: zoneID)
    case .assets(let zoneID, let change, let named):
      try transaction.assets.setUses(
        named, of: change, zone: try row(of: zoneID),
        holder: zoneID.isPublic ? try transaction.creator(of: change) : nil)
    case .parents(let zoneID, let name, let parents, let before):
      let row = try row(of: zoneID)
      try transaction.references.set(parents, before: before, of: name, in: row)
      if !parents.isEmpty { transaction.memory.refers(in: row) }
    }
  }

  mutating func finish() throws -> CommitEffects {
    if let told = notifications?.effects { effects.add(told) }
    for (zone, owner) in touched { try touchDirectories(of: zone, owner: owner) }
    effects.zones.reserveCapacity(commits.count)
    for written in commits {
      var commit = written.commit
      guard let last = commit.changes.last else { continue }
      transaction.memory.raise(
        WriterMemory.ZoneKey(container: identity.container, id: commit.zone.id),
        row: written.row, to: last.tag, adding: written.added)
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

  private mutating func tellDeletion(of zone: ZoneID) throws {
    let key = try row(of: zone)
    let isNamed = try DirectoryForgetting(db: transaction.db).names(
      key, container: identity.container, account: identity.accountKey)
    guard !isNamed else { return }
    effects.directories.append(
      try transaction.directories.commit(
        zone: key, container: identity.container, account: identity.accountKey))
  }

  private mutating func touch(_ key: StoreKey, of zone: ZoneID) {
    guard !touched.contains(where: { $0.zone == key }) else { return }
    touched.append((key, zone.owner))
  }

  mutating func apply(_ change: Change, over before: Change?, in id: ZoneID) throws {
    let place = try place(of: id)
    try transaction.records.write(
      change, isNew: before == nil, zone: commits[place].row, by: identity.deviceKey)
    if !transaction.memory.indexes.isEmpty {
      try transaction.indexes.follow(
        change, over: before, in: commits[place].row, transaction.memory.indexes)
    }
    commits[place].commit.changes.append(change)
    let added = AccountUsage(
      records: (change.kind == .saved ? 1 : 0) - (before?.kind == .saved ? 1 : 0),
      bytes: change.storedContent.count + BrokerLimits.bytesPerState)
    commits[place].added.add(added)
    if id.isPublic {
      let creator = (added.records < 0 ? before ?? change : change).created.origin.account
      try RecordCounts(db: transaction.db).add(
        added, to: creator, container: identity.container)
      transaction.memory.added(added, to: creator, container: identity.container)
    }
    try notifications?.tell(change, over: before, in: id, key: commits[place].row)
  }

  /// Where the commit of a zone stands. Looked for from the end, where the last write went.
  mutating func place(of id: ZoneID) throws -> Int {
    if let place = commits.lastIndex(where: { $0.commit.zone.id == id }) { return place }
    guard let zone = try zone(id), let row = zone.key else {
      preconditionFailure("A plan writes to a zone that was not gathered.")
    }
    let commit = ZoneCommit(
      container: identity.container, zone: zone, from: zone.head, changes: [])
    commits.append(Written(row: row, commit: commit))
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

  /// Everybody who is in the zone is told.
  private mutating func touchDirectories(of zone: StoreKey, owner: AccountID) throws {
    let isOwn = owner == identity.account
    let ownerKey =
      isOwn ? identity.accountKey : try transaction.accounts.account(owner)?.key
    effects.add(
      try transaction.tellEverybody(
        in: zone, owner: ownerKey, container: identity.container))
  }
}
