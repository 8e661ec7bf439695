// Carries out a plan's writes on SQLite and collects whom they concern. Each zone's row is updated
// once, after its records: that update is what raises the revision in the same transaction.

import BrokerCore
import Records
import SQLiteFile

/// A plan on its way into the tables.
struct ModifyApplication {
  let transaction: SQLiteTransaction
  let identity: SessionIdentity
  private var effects = CommitEffects()
  private var commits: [ZoneID: ZoneCommit] = [:]
  private var created: [ZoneID: StoredZone] = [:]

  init(transaction: SQLiteTransaction, identity: SessionIdentity) {
    self.transaction = transaction
    self.identity = identity
  }

  mutating func apply(_ write: ModifyWrites.Write) throws {
    switch write {
    case .createZone(let zone):
      var stored = zone
      stored.key = try transaction.zones.insert(
        zone, container: identity.container, owner: identity.accountKey)
      created[zone.id] = stored
      try touchDirectory(of: stored)
    case .renameZone(let zone), .deleteZone(let zone):
      try transaction.zones.update(zone, key: try key(of: zone.id))
      try touchDirectory(of: zone)
    case .record(let zoneID, let change): try apply(change, in: zoneID)
    }
  }

  mutating func finish() throws -> CommitEffects {
    for id in commits.keys.sorted() {
      guard let commit = commits[id], let key = commit.zone.key,
        let last = commit.changes.last
      else { continue }
      transaction.memory.raise(
        WriterMemory.ZoneKey(container: identity.container, id: id), row: key, to: last.tag)
      var zone = commit.zone
      zone.head = last.tag
      effects.zones.append(
        ZoneCommit(
          container: identity.container, zone: zone, from: commit.from, changes: commit.changes))
    }
    return effects
  }

  private mutating func apply(_ change: Change, in id: ZoneID) throws {
    if commits[id] == nil {
      guard let zone = try zone(id) else {
        preconditionFailure("A plan writes to a zone that was not gathered.")
      }
      commits[id] = ZoneCommit(
        container: identity.container, zone: zone, from: zone.head, changes: [])
    }
    try transaction.records.write(
      change, zone: try key(of: id), by: identity.deviceKey)
    commits[id]?.changes.append(change)
  }

  private func zone(_ id: ZoneID) throws -> StoredZone? {
    if let zone = created[id] { return zone }
    return try transaction.zones.zone(id, container: identity.container)
  }

  private func key(of id: ZoneID) throws -> StoreKey {
    if let key = commits[id]?.zone.key { return key }
    guard let key = try zone(id)?.key else {
      preconditionFailure("A plan writes to a zone that has no row.")
    }
    return key
  }

  private mutating func touchDirectory(of zone: StoredZone) throws {
    let key = try key(of: zone.id)
    let revision = try transaction.directories.touch(
      zone: key, container: identity.container, account: identity.accountKey)
    let entry = DirectoryEntry(
      revision: revision, zone: zone.id, title: zone.title, role: .owner, isWritable: true,
      incarnation: zone.incarnation, isDeleted: zone.isDeleted)
    effects.directories.append(
      DirectoryCommit(
        container: identity.container, account: identity.accountKey,
        page: DirectoryPage(
          from: Revision(revision.value - 1), to: revision, entries: [entry])))
  }
}
