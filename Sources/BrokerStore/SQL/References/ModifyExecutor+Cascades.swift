// Cascading deletes. A record with a `deleteSelf` reference is deleted when the referenced record, its
// parent, is deleted. The cascade runs after the request's own writes, when the tables have their final
// references. Each deletion is an ordinary one: a tombstone with its own revision, notifications and
// history. Its author is the device that deleted the first record. A cascade that exceeds its limit
// continues in the background; until then `HiddenRecords` hides the rest.

import BrokerCore
import Records
import SQLConnections

extension ModifyExecutor {
  /// The children that one query returns.
  private static let childrenPerQuery = 500

  /// Deletes the records that refer to the deleted ones. Returns them by the operation that deleted their
  /// parent.
  mutating func deleteReferring(
    to deletions: [ModifyWrites.Deletion]
  ) throws -> [ModifyWrites.Place: CascadedRecords] {
    var cascaded: [ModifyWrites.Place: CascadedRecords] = [:]
    for deletion in deletions {
      let zone = try row(of: deletion.zone)
      guard
        try transaction.memory.hasReferences(
          in: zone,
          orRead: {
            try transaction.references.hasReferences(in: zone)
          })
      else { continue }
      // The records of a deleted zone are deleted with it.
      guard try self.zone(deletion.zone)?.isDeleted == false else { continue }
      let (cascade, goesOn) = try runCascade(
        from: deletion.parent, in: deletion.zone, stamp: deletion.stamp,
        recordsMaximum: transaction.memory.cascadedRecordsLeft)
      guard let place = deletion.place, !cascade.removed.isEmpty || goesOn else { continue }
      cascaded[place] = CascadedRecords(
        count: cascade.removed.count,
        names: Array(cascade.removed.prefix(Limits.cascadedNamesPerOutcome)), goesOn: goesOn)
    }
    return cascaded
  }

  /// Deletes the records below one deleted record, at most `recordsMaximum`, and stores what remains to be
  /// deleted. Returns the cascade, and whether anything remains.
  mutating func runCascade(
    from parent: Cascade.Parent, in id: ZoneID, stamp: Stamp, recordsMaximum: Int
  ) throws -> (cascade: Cascade, goesOn: Bool) {
    let index = try commitIndex(of: id)
    let (zone, pending) = (commits[index].row, commits[index])
    var cascade = Cascade(
      from: [parent], in: pending.commit.zone.history, head: pending.head, stamp: stamp,
      recordsMaximum: recordsMaximum)
    while let parent = cascade.parent, transaction.storedBytesLeft > 0 {
      let limit = min(Self.childrenPerQuery, cascade.remainingDeletions)
      let children = try transaction.references.children(of: parent, in: zone, limit: limit)
      for name in children {
        guard transaction.storedBytesLeft > 0 else { break }
        let child = try transaction.records.recordForUpdate(name, zone: zone)
        transaction.spend(storedBytes: child?.record.bytes.count ?? 0)
        guard let child, let tombstone = cascade.take(child) else {
          // The record's own bytes do not have this reference: the index row is stale or damaged.
          try transaction.references.remove(name, from: parent.name, in: zone)
          continue
        }
        try delete(child, tombstone, in: id, zone)
      }
      if children.count < limit, transaction.storedBytesLeft > 0 { cascade.finishedParent() }
    }
    transaction.memory.spend(cascadedRecords: cascade.removed.count)
    let pendingCount = try storePending(cascade.unfinished, in: zone, stamp: stamp)
    if pendingCount > 0 { effects.jobs.insert(.cascades) }
    return (cascade, pendingCount > 0)
  }

  private mutating func delete(
    _ child: Change, _ tombstone: Change, in id: ZoneID, _ zone: StoreKey
  ) throws {
    try apply(tombstone, over: child, in: id)
    let mentions = child.record.mentions
    try transaction.references.set([], before: mentions.parents, of: child.name, in: zone)
    if !mentions.assets.isEmpty {
      try transaction.assets.setUses(
        [], of: tombstone, zone: zone, holder: nil, isByParticipant: false)
    }
  }

  /// Stores the deleted records that other records still refer to. Returns their number.
  private func storePending(
    _ parents: ArraySlice<Cascade.Parent>, in zone: StoreKey, stamp: Stamp
  ) throws -> Int {
    var count = 0
    for parent in parents {
      let hasChildren = try !transaction.references.children(of: parent, in: zone, limit: 1).isEmpty
      guard hasChildren else { continue }
      try transaction.references.insert(
        ReferenceTable.PendingCascade(
          zone: zone, parent: parent, device: identity.deviceKey,
          number: stamp.origin.request))
      transaction.memory.setCascading(zone, true)
      count += 1
    }
    return count
  }
}

// MARK: - The transaction

extension SQLTransaction {
  var references: ReferenceTable { ReferenceTable(db: db) }

  func completeCascades(at now: Timestamp) throws -> CommitEffects {
    var effects = CommitEffects()
    var room = memory.cascades.perStep
    while room > 0, storedBytesLeft > 0, let pending = try references.nextPendingCascade() {
      try references.delete(pending)
      let step = try resume(pending, at: now, recordsMaximum: room)
      effects.add(step.effects)
      // A cascade that finds no records has a cost too.
      room -= max(1, step.count)
      if try !references.isCascading(pending.zone) { memory.setCascading(pending.zone, false) }
    }
    if !memory.cascadingZones.isEmpty { effects.jobs.insert(.cascades) }
    return effects
  }

  /// Continues a cascade on behalf of the device that started it. What still remains is stored again.
  private func resume(
    _ pending: ReferenceTable.PendingCascade, at now: Timestamp, recordsMaximum: Int
  ) throws -> (count: Int, effects: CommitEffects) {
    let container = try db.first("SELECT container FROM zone WHERE key = ?", [pending.zone]) {
      $0[0] as StoreKey
    }
    guard let container, let zone = try zones.zone(at: pending.zone, container: container),
      !zone.isDeleted
    else { return (0, CommitEffects()) }
    let (account, device) = try origins.origin(of: pending.device, in: db)
    let identity = SessionIdentity(
      container: container, account: account,
      accountKey: try accounts.account(account)?.key ?? 0, device: device,
      deviceKey: pending.device)
    let stamp = Stamp(
      time: now, origin: Origin(account: account, device: device, request: pending.number))
    var executor = ModifyExecutor(transaction: self, identity: identity)
    let (cascade, _) = try executor.runCascade(
      from: pending.parent, in: zone.id, stamp: stamp, recordsMaximum: recordsMaximum)
    return (cascade.removed.count, try executor.finish())
  }

  /// Reads the status of the parents that a request's saves refer to, and which of the records it names are
  /// hidden. Returns `nil` if that needs more than `BrokerLimits.hiddenLookupsPerRequest` lookups.
  func gatherReferences(
    of request: ModifyRequest, _ identity: SessionIdentity, zones: [ZoneID: StoredZone],
    records: [RecordID: Change], _ publicRights: PublicRights
  ) throws -> ReferenceTargets? {
    let hiddenRecords = HiddenRecords(db: db, lookupsMaximum: BrokerLimits.hiddenLookupsPerRequest)
    var parents: [RecordID: ReferenceTargets.State] = [:]
    var hidden: [RecordID: Revision] = [:]
    // The parents looked up, found or not; each is looked up once.
    var asked: Set<RecordID> = []
    do {
      for group in request.groups {
        let zone = group.zone.resolved(for: identity.account)
        guard let key = zones[zone]?.key else { continue }
        for case .save(let save) in group.operations {
          for parent in save.fields.mentions.parents {
            let id = RecordID(zone: zone, name: parent)
            guard records[id] == nil, parents[id] == nil else { continue }
            guard asked.insert(id).inserted else { continue }
            // A parent that the account may not read counts as missing, as in a fetch.
            if zone.isPublic, try !allowsReading(parent, in: key, by: identity) { continue }
            parents[id] = try hiddenRecords.parentStatus(of: parent, in: key)
          }
        }
        guard memory.cascadingZones.contains(key) else { continue }
        for name in group.operations.compactMap(\.recordName) {
          let id = RecordID(zone: zone, name: name)
          guard let record = records[id] else { continue }
          if try hiddenRecords.hides(record, in: key) { hidden[id] = record.tag }
        }
      }
    } catch is HiddenRecords.LookupLimitExceeded {
      return nil
    }
    return ReferenceTargets(parents: parents, hidden: hidden)
  }
}

extension SQLTransaction {
  /// Whether an account may read the public record `name`; `true` if there is no such record. Reads only
  /// the record's type and creator.
  private func allowsReading(
    _ name: RecordName, in zone: StoreKey, by identity: SessionIdentity
  ) throws -> Bool {
    let statement = try db.statement(
      """
      SELECT type, device.account FROM record JOIN device ON device.key = created_device
      WHERE zone = ? AND record.name = ?
      """)
    let found = try statement.first {
      $0.bind(1, zone)
      $0.bind(2, name.text)
    } read: {
      (type: RecordType(stored: $0.text(0)), creator: $0.number(1))
    }
    guard let found else { return true }
    return found.creator == identity.accountKey || publicRights.isReadByAll(found.type)
  }
}

// MARK: - Reading

extension SQLRecordStore {
  package func cascaded(
    _ zone: ZoneID, by number: RequestNumber, after: Revision, of identity: SessionIdentity
  ) throws -> CascadedPage {
    try reading { db in
      let stored = try ZoneTable(db: db, memory: nil).zone(
        zone.resolved(for: identity.account), container: identity.container)
      guard let stored, let key = stored.key, !stored.isDeleted,
        try stored.id.isPublic
          || ParticipantTable(db: db, memory: nil).access(of: identity, in: stored).allowsReading
      else { return CascadedPage(items: [], next: nil, goesOn: false) }
      var items: [CascadedPage.Item] = []
      var (rowCount, reached) = (0, after)
      let tombstones = try db.statement(
        """
        SELECT name, revision, modified_device, modified_number FROM record
        WHERE zone = ? AND kind = 1 AND revision > ? ORDER BY revision
        LIMIT \(BrokerLimits.tombstonesPerCascadePage)
        """)
      try tombstones.forEach([key, after.value]) { row in
        rowCount += 1
        reached = Revision(row.number(1))
        if row.number(2) == identity.deviceKey, row.number(3) == number.value {
          items.append(
            CascadedPage.Item(name: RecordName(stored: row.text(0)), tag: reached))
        }
        return items.count < BrokerLimits.pageRows
      }
      let isFull =
        rowCount == BrokerLimits.tombstonesPerCascadePage || items.count == BrokerLimits.pageRows
      return CascadedPage(
        items: items, next: isFull ? reached : nil,
        goesOn: try ReferenceTable(db: db).isCascading(key, by: identity.deviceKey, number))
    }
  }
}
