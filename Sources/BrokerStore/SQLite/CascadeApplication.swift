// What goes with deleted records, deleted behind the writes of the request that deleted them: the
// tables say then what the request made of them. Each of these deletions is one like any other – a
// tombstone with a revision of its own, told to subscriptions, with its past kept – by whoever deleted
// the first record, whoever made it.

import BrokerCore
import GRDB
import Records
import SQLiteFile

extension ModifyApplication {
  /// Children looked for at a time.
  private static let childrenPerLook = 500

  /// Deletes what goes with the records that were deleted. Returns what that was, by the place of the
  /// deletion.
  mutating func takeAlong(
    _ deletions: [ModifyWrites.Deletion]
  ) throws -> [ModifyWrites.Place: CascadedRecords] {
    var taken: [ModifyWrites.Place: CascadedRecords] = [:]
    for deletion in deletions {
      let zone = try row(of: deletion.zone)
      guard
        try transaction.memory.isReferring(
          in: zone,
          orRead: {
            try transaction.references.isUsed(in: zone)
          })
      else { continue }
      // What is in a zone that is deleted goes with it.
      guard try self.zone(deletion.zone)?.isDeleted == false else { continue }
      let (cascade, goesOn) = try takeAlong(
        from: deletion.parent, in: deletion.zone, stamp: deletion.stamp,
        recordsMaximum: transaction.memory.cascadeRoom)
      guard let place = deletion.place, !cascade.removed.isEmpty || goesOn else { continue }
      taken[place] = CascadedRecords(
        count: cascade.removed.count,
        names: Array(cascade.removed.prefix(Limits.cascadedNamesPerOutcome)), goesOn: goesOn)
    }
    return taken
  }

  /// Deletes what goes with one deleted record, at most `recordsMaximum`, and keeps in mind what is
  /// left; says whether anything is.
  mutating func takeAlong(
    from parent: Cascade.Parent, in id: ZoneID, stamp: Stamp, recordsMaximum: Int
  ) throws -> (cascade: Cascade, goesOn: Bool) {
    let place = try place(of: id)
    let (zone, head) = (commits[place].row, commits[place].head)
    var cascade = Cascade(
      from: [parent], head: head, stamp: stamp, recordsMaximum: recordsMaximum)
    while let parent = cascade.parent, transaction.storedBytesLeft > 0 {
      let limit = min(Self.childrenPerLook, cascade.roomCount)
      let children = try transaction.references.children(of: parent, in: zone, limit: limit)
      for name in children {
        guard transaction.storedBytesLeft > 0 else { break }
        let child = try transaction.records.recordToWriteOver(name, zone: zone)
        transaction.spend(storedBytes: child?.record.bytes.count ?? 0)
        guard let child, let tombstone = cascade.take(child) else {
          try transaction.references.remove(name, from: parent.name, in: zone)
          continue
        }
        try delete(child, tombstone, in: id, zone)
      }
      if children.count < limit, transaction.storedBytesLeft > 0 { cascade.finishedParent() }
    }
    transaction.memory.cascaded(cascade.removed.count)
    let rest = try keep(cascade.unfinished, in: zone, stamp: stamp)
    if rest > 0 { effects.leavesCascade = true }
    return (cascade, rest > 0)
  }

  private mutating func delete(
    _ child: Change, _ tombstone: Change, in id: ZoneID, _ zone: StoreKey
  ) throws {
    try apply(tombstone, over: child, in: id)
    let mentions = child.record.mentions
    try transaction.references.set([], before: mentions.parents, of: child.name, in: zone)
    if !mentions.assets.isEmpty {
      try transaction.assets.setUses([], of: tombstone, zone: zone, holder: nil)
    }
  }

  /// Keeps those deleted records that others still go with. Returns their number.
  private func keep(
    _ parents: ArraySlice<Cascade.Parent>, in zone: StoreKey, stamp: Stamp
  ) throws -> Int {
    var count = 0
    for parent in parents {
      let isGoneWith = try !transaction.references.children(of: parent, in: zone, limit: 1).isEmpty
      guard isGoneWith else { continue }
      try transaction.references.keep(
        ReferenceTable.Rest(
          zone: zone, parent: parent, device: identity.deviceKey,
          number: stamp.origin.request))
      transaction.memory.setCascading(zone, true)
      count += 1
    }
    return count
  }
}

// MARK: - The transaction

extension SQLiteTransaction {
  var references: ReferenceTable { ReferenceTable(db: db) }

  func reapCascades(at now: Timestamp) throws -> CommitEffects {
    var effects = CommitEffects()
    var room = memory.cascades.perStep
    while room > 0, storedBytesLeft > 0, let rest = try references.anyRest() {
      try references.end(rest)
      let step = try reap(rest, at: now, recordsMaximum: room)
      effects.add(step.effects)
      // One that nothing goes with any more costs something too.
      room -= max(1, step.count)
      if try !references.isCascading(rest.zone) { memory.setCascading(rest.zone, false) }
    }
    effects.leavesCascade = !memory.cascadingZones.isEmpty
    return effects
  }

  private func reap(
    _ rest: ReferenceTable.Rest, at now: Timestamp, recordsMaximum: Int
  ) throws -> (count: Int, effects: CommitEffects) {
    let container = try db.first("SELECT container FROM zone WHERE key = ?", [rest.zone]) {
      $0[0] as StoreKey
    }
    guard let container, let zone = try zones.zone(at: rest.zone, container: container),
      !zone.isDeleted
    else { return (0, CommitEffects()) }
    let (account, device) = try origins.origin(of: rest.device, in: db)
    let identity = SessionIdentity(
      container: container, account: account,
      accountKey: try accounts.account(account)?.key ?? 0, device: device,
      deviceKey: rest.device)
    let stamp = Stamp(
      time: now, origin: Origin(account: account, device: device, request: rest.number))
    var application = ModifyApplication(transaction: self, identity: identity)
    let (cascade, _) = try application.takeAlong(
      from: rest.parent, in: zone.id, stamp: stamp, recordsMaximum: recordsMaximum)
    return (cascade.removed.count, try application.finish())
  }

  /// How the parents stand that a request's saves name, and what of it is hidden; `nil` where that
  /// takes too long now.
  func gatherReferences(
    of request: ModifyRequest, _ identity: SessionIdentity, zones: [ZoneID: StoredZone],
    records: [RecordID: Change], _ publicRights: PublicRights
  ) throws -> GatheredReferences? {
    let looking = HiddenRecords(db: db, looksMaximum: BrokerLimits.looksForHidden)
    var parents: [RecordID: GatheredReferences.Standing] = [:]
    var hidden: [RecordID: Revision] = [:]
    // What was looked at, found or not: each costs one look.
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
            // What may not be read is not there, here as in a fetch.
            if zone.isPublic, try !allowsReading(parent, in: key, by: identity) { continue }
            parents[id] = try looking.standing(of: parent, in: key)
          }
        }
        guard memory.cascadingZones.contains(key) else { continue }
        for name in group.operations.compactMap(\.recordName) {
          let id = RecordID(zone: zone, name: name)
          guard let record = records[id] else { continue }
          if try looking.hides(record, in: key) { hidden[id] = record.tag }
        }
      }
    } catch is HiddenRecords.TooManyLooks {
      return nil
    }
    return GatheredReferences(parents: parents, hidden: hidden)
  }
}

extension SQLiteTransaction {
  /// Whether an account may read a public record, of which no more is looked at than that takes; true
  /// where there is none.
  private func allowsReading(
    _ name: RecordName, in zone: StoreKey, by identity: SessionIdentity
  ) throws -> Bool {
    let statement = try HotStatement(
      borrowing: """
        SELECT type, device.account FROM record JOIN device ON device.key = created_device
        WHERE zone = ? AND record.name = ?
        """, from: db)
    let made = try statement.first {
      $0.bind(1, zone)
      $0.bind(2, name.text)
    } read: {
      (type: RecordType(stored: $0.text(0)), creator: $0.number(1))
    }
    guard let made else { return true }
    return made.creator == identity.accountKey || publicRights.isReadByAll(made.type)
  }
}

// MARK: - Reading

extension SQLiteRecordStore {
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
      var (looked, reached) = (0, after)
      let tombstones = try HotStatement(
        borrowing: """
          SELECT name, revision, modified_device, modified_number FROM record
          WHERE zone = ? AND kind = 1 AND revision > ? ORDER BY revision
          LIMIT \(BrokerLimits.tombstonesPerCascadePage)
          """, from: db)
      try tombstones.forEach([key, after.value]) { row in
        looked += 1
        reached = Revision(row.number(1))
        if row.number(2) == identity.deviceKey, row.number(3) == number.value {
          items.append(
            CascadedPage.Item(name: RecordName(stored: row.text(0)), tag: reached))
        }
        return items.count < BrokerLimits.pageRows
      }
      let isFull =
        looked == BrokerLimits.tombstonesPerCascadePage || items.count == BrokerLimits.pageRows
      return CascadedPage(
        items: items, next: isFull ? reached : nil,
        goesOn: try ReferenceTable(db: db).isCascading(key, by: identity.deviceKey, number))
    }
  }
}
