// Decides the operations of one atomic group. It works on copies of the state it changes, so a group that
// fails changes nothing.

import ByteCounts
import Records

/// The state of a group while its operations are decided, in order.
struct GroupPlanner {
  let zoneID: ZoneID
  private(set) var zone: StoredZone?
  private let context: PlanningContext
  let newIncarnation: Incarnation
  /// The maximum number of records in `touched`. 0 if no other operation of the request can read them; then
  /// they are not collected.
  let touchedMaximum: Int
  private(set) var budget: RequestBudget
  /// The last write of each record that this group changed, as an index of `writes`.
  private var touched: [RecordName: Int] = [:]
  private(set) var writes: [ModifyWrites.Write] = []
  /// The records that this group deleted, each with the index of the operation that asked for it, if any.
  private(set) var deletions: [(parent: Cascade.Parent, operation: Int?)] = []
  /// The zone's head before the group.
  private let headBefore: Revision
  private var parentCheck: ParentCheck
  /// The index of the current operation.
  private var operationIndex = -1

  init(
    zoneID: ZoneID, zone: StoredZone?, context: PlanningContext, newIncarnation: Incarnation,
    touchedMaximum: Int, budget: RequestBudget
  ) {
    self.zoneID = zoneID
    self.zone = zone
    self.context = context
    self.newIncarnation = newIncarnation
    self.touchedMaximum = touchedMaximum
    self.budget = budget
    headBefore = zone?.head ?? .zero
    parentCheck = ParentCheck(zone: zoneID)
    touched.reserveCapacity(touchedMaximum)
    writes.reserveCapacity(touchedMaximum)
  }

  private var account: AccountID { context.account }
  private var publicRights: PublicRights { context.publicRights }
  private var references: ReferenceTargets { context.references ?? .nothing }
  private var stamp: Stamp { context.stamp }

  /// Decides the next operation. `known` are the records as they were before the group.
  mutating func perform(
    _ operation: Operation, known: [RecordID: Change]
  ) throws(OperationFailure) -> OperationResult {
    if zoneID.isPublic, operation.isAboutZone { throw refusal(.publicZone) }
    operationIndex += 1
    switch operation {
    case .saveZone(let title, let former): return try saveZone(title, former: former)
    case .deleteZone(let token, _): return try deleteZone(isConditional: token != nil)
    case .restoreZone: return try restoreZone()
    case .emptyTrash(let through): return try emptyTrash(through)
    case .save(let save):
      let id = RecordID(zone: zoneID, name: save.name)
      return try self.save(save, id: id, stored: touched(save.name) ?? known[id])
    case .delete(let delete):
      let id = RecordID(zone: zoneID, name: delete.name)
      return try self.delete(delete, stored: effective(touched(delete.name) ?? known[id], id))
    }
  }

  /// Returns the first operation that saved a reference to a missing parent. Call it after all operations.
  func violation(
    known: [RecordID: Change]
  ) -> (operation: Int, failure: OperationFailure)? {
    guard !parentCheck.isEmpty else { return nil }
    return parentCheck.violation(touched: changes, known: known, gathered: references)
  }

  /// The records that this group changed, with their new versions.
  var changes: [RecordID: Change] {
    var changes: [RecordID: Change] = [:]
    for name in touched.keys { changes[RecordID(zone: zoneID, name: name)] = touched(name) }
    return changes
  }

  private func touched(_ name: RecordName) -> Change? {
    guard let index = touched[name], case .record(_, let change, _) = writes[index] else {
      return nil
    }
    return change
  }

  /// Returns the state of a record that clients see: a hidden record is deleted.
  private func effective(_ stored: Change?, _ id: RecordID) -> Change? {
    guard let stored, references.hides(stored, id) else { return stored }
    return Change(
      name: stored.name, tag: stored.tag, kind: .deleted, type: stored.type,
      created: stored.created, modified: stored.modified, record: .empty, former: stored.former)
  }

  // MARK: Zones

  /// - Parameter former: The revision of a title that the broker has lost.
  private mutating func saveZone(
    _ title: String, former: Revision?
  ) throws(OperationFailure) -> OperationResult {
    guard title.utf8.count <= Limits.titleBytes else {
      throw refusal(
        .limit("Bytes of a title", limit: Limits.titleBytes, actual: title.utf8.count))
    }
    guard !title.hasControlCharacters else {
      throw refusal(.invalid("A title cannot contain control characters."))
    }
    guard var existing = zone else { return try createZone(title, former: former) }
    guard !existing.isDeleted else { throw zoneNotFound }
    let access = try access(to: existing)
    guard access.allowsManaging else {
      throw refusal(
        RecordsError(
          .permissionFailure, "Only the owner and administrators can rename a zone."))
    }
    guard existing.title != title, former.map({ $0 > existing.titleRevision }) ?? true else {
      return .zoneSaved
    }
    existing.title = title
    existing.titleRevision = former ?? max(existing.titleRevision, existing.head).next
    zone = existing
    writes.append(.renameZone(existing))
    return .zoneSaved
  }

  private mutating func createZone(
    _ title: String, former: Revision?
  ) throws(OperationFailure) -> OperationResult {
    guard zoneID.owner == account else { throw zoneNotFound }
    try check(budget.zones.quotaError)
    var created = StoredZone(
      key: nil, id: zoneID, title: title, incarnation: newIncarnation, head: context.newZoneHead,
      expiredThrough: .zero, isDeleted: false)
    created.titleRevision = former ?? .zero
    zone = created
    writes.append(.createZone(created))
    return .zoneSaved
  }

  private mutating func deleteZone(
    isConditional: Bool
  ) throws(OperationFailure) -> OperationResult {
    guard zoneID.name != .standard else {
      throw refusal(
        RecordsError(
          .invalidArguments, "The default zone cannot be deleted.",
          hint: "Delete the records in it instead."))
    }
    guard var existing = zone, !existing.isDeleted else {
      // NB: an account must not learn which zones other accounts have.
      guard zoneID.owner == account else { throw zoneNotFound }
      return .zoneDeleted
    }
    guard try access(to: existing).allowsOwning else {
      throw refusal(
        RecordsError(
          .permissionFailure, "Only the owner can delete a zone.",
          hint: "Leave the zone to remove it from your devices."))
    }
    if isConditional { try check(context.unseenChanges[zoneID]?.error) }
    existing.isDeleted = true
    existing.deletedAt = stamp.time
    zone = existing
    writes.append(.deleteZone(existing))
    return .zoneDeleted
  }

  /// A device that has missed the deletion must read the zone again, so the restored zone has a new history.
  private mutating func restoreZone() throws(OperationFailure) -> OperationResult {
    guard var existing = zone, zoneID.owner == account else { throw zoneNotFound }
    guard existing.isDeleted else { return .zoneSaved }
    guard existing.deletedAt != nil else { throw zoneErased }
    try check(budget.zones.presentError)
    try check(
      budget.records.chargeRecords(existing.recordCount, to: account, by: account))
    existing.former = FormerHistory(
      lineage: existing.lineage.continued(from: existing.incarnation, after: existing.head))
    existing.incarnation = newIncarnation
    existing.restorations += 1
    existing.titleRevision = max(existing.titleRevision, existing.head).next
    existing.isDeleted = false
    existing.deletedAt = nil
    zone = existing
    writes.append(.restoreZone(existing))
    return .zoneSaved
  }

  /// Erases deleted records for good. A participant who deletes records by mistake, or to do harm, must leave the owner
  /// a way to restore them, so only the owner can do this.
  private mutating func emptyTrash(_ through: Revision) throws(OperationFailure) -> OperationResult
  {
    if zone?.isDeleted == true, zoneID.owner == account { return eraseZone(through) }
    var existing = try writableZone()
    guard try access(to: existing).allowsOwning else {
      throw refusal(
        RecordsError(
          .permissionFailure, "Only the owner can empty the trash of a shared zone.",
          hint: "Ask its owner.", reason: "trashNotOwned"))
    }
    let erased = min(through, existing.head)
    guard erased > existing.erasedThrough else { return .trashEmptied }
    existing.erasedThrough = erased
    zone = existing
    writes.append(.emptyTrash(existing))
    return .trashEmptied
  }

  /// Erases the records of a deleted zone. It stays if it was restored, changed and deleted again since its owner looked
  /// at the trash.
  private mutating func eraseZone(_ through: Revision) -> OperationResult {
    guard var existing = zone, existing.deletedAt != nil, existing.head <= through else {
      return .trashEmptied
    }
    existing.deletedAt = nil
    zone = existing
    writes.append(.emptyTrash(existing))
    return .trashEmptied
  }

  /// Returns the account's permissions; throws `zoneNotFound` if it may not know of the zone.
  private func access(to zone: StoredZone) throws(OperationFailure) -> Access {
    let access = Access(of: account, in: zone, as: context.participations[zoneID])
    guard access.allowsReading else { throw zoneNotFound }
    return access
  }

  private func writableZone() throws(OperationFailure) -> StoredZone {
    guard let zone, !zone.isDeleted else { throw zoneNotFound }
    // In the public database, rights belong to records; see `PublicRights`.
    if zoneID.isPublic { return zone }
    guard try access(to: zone).allowsWriting else {
      throw refusal(
        RecordsError(
          .permissionFailure, "You have no permission to change this zone.",
          hint: "Ask its owner.", reason: "readOnly"))
    }
    return zone
  }

  // MARK: Records

  private mutating func save(
    _ save: Operation.Save, id: RecordID, stored: Change?
  ) throws(OperationFailure) -> OperationResult {
    let zone = try writableZone()
    let isHidden = stored.map { references.hides($0, id) } ?? false
    let live = stored?.kind == .saved && !isHidden ? stored : nil
    if zoneID.isPublic {
      try check(publicRights.refusal(toSave: save.name, save.type, over: live, by: account))
    }
    try checkTag(save, stored: isHidden ? effective(stored, id) : stored, live: live)
    if let live, live.type != save.type {
      throw refusal(
        RecordsError(
          .constraintViolation,
          "Record \(save.name) is a \(live.type); it cannot be saved as \(save.type).",
          hint: "Delete it first, or use another name.", record: save.name))
    }
    try check(save.former, of: save.name, over: stored)
    let record = try merged(save, into: live)
    if let live, live.record == record, save.former == nil { return .saved(tag: live.tag) }
    budget.storedBytesLeft -= record.bytes.count
    guard budget.storedBytesLeft >= 0 else { throw refusal(.tooManyStoredBytes) }
    let mentions = record.mentions
    try checkNamed(mentions.assets, by: save, live: live)
    if !mentions.parents.isEmpty || !parentCheck.isEmpty {
      try parentCheck.note(
        mentions.parents, of: save.name, record, before: live?.record.mentions.parents ?? [],
        operation: operationIndex)
    }
    // A hidden record would be deleted soon, with its referring records. Delete it now.
    let before = isHidden ? stored.map { delete($0, operation: nil) } : stored
    try chargeQuota(for: save.name, record.bytes.count, over: live)
    raiseHead(over: save.former)
    let tag = (self.zone ?? zone).head.next
    write(
      Change(
        name: save.name, tag: tag, kind: .saved, type: save.type,
        created: live?.created ?? stamp, modified: stamp, record: record,
        former: former(save.former, over: stored, at: tag)),
      mentioning: mentions, over: before)
    return .saved(tag: tag)
  }

  private mutating func chargeQuota(
    for name: RecordName, _ byteCount: Int, over live: Change?
  ) throws(OperationFailure) {
    let payer =
      zoneID.isPublic ? live?.created.origin.account ?? account : zoneID.owner
    var error = live == nil ? budget.records.chargeRecords(to: payer, by: account) : nil
    error = error ?? budget.records.charge(byteCount, to: payer, by: account)
    error?.record = name
    try check(error)
  }

  private func checkTag(
    _ save: Operation.Save, stored: Change?, live: Change?
  ) throws(OperationFailure) {
    guard save.policy == .ifServerRecordUnchanged, save.tag != live?.tag else { return }
    let message =
      save.tag == nil
      ? "Record \(save.name) already exists."
      : "Record \(save.name) was changed by another device."
    throw OperationFailure(
      error: RecordsError(
        .serverRecordChanged, message, hint: "Merge your changes with the current record.",
        record: save.name),
      serverRecord: visible(stored))
  }

  /// Returns the record to send with a conflict; `nil` if the account may not read it.
  private func visible(_ stored: Change?) -> Change? {
    guard let stored, zoneID.isPublic else { return stored }
    let creator = stored.created.origin.account
    return publicRights.allowsReading(stored.type, of: creator, by: account) ? stored : nil
  }

  private func merged(
    _ save: Operation.Save, into live: Change?
  ) throws(OperationFailure) -> EncodedRecord {
    do throws(RecordsError) {
      var record = try save.fields.canonical()
      if let live, save.policy != .allKeys {
        let changes = FieldChanges(set: try record.fields(), removed: save.removed)
        record = EncodedRecord(changes.applied(to: try live.record.fields()))
      }
      guard record.bytes.count <= Limits.recordBytes else {
        throw .limit(
          "Bytes of a record", limit: Limits.recordBytes, actual: record.bytes.count)
      }
      return record
    } catch {
      var named = error
      named.record = save.name
      throw refusal(named)
    }
  }

  private mutating func delete(
    _ delete: Operation.Delete, stored: Change?
  ) throws(OperationFailure) -> OperationResult {
    _ = try writableZone()
    guard let stored, stored.kind == .saved else {
      try checkMove(delete, tombstone: stored)
      return .deleted(tag: completeMove(delete, tombstone: stored))
    }
    if zoneID.isPublic { try check(publicRights.refusal(toChange: stored, by: account)) }
    guard delete.isForced || delete.tag == stored.tag else {
      throw OperationFailure(
        error: RecordsError(
          .serverRecordChanged,
          "Record \(delete.name) was changed by another device.",
          hint: "Read the record again before you delete it.", record: delete.name),
        serverRecord: visible(stored))
    }
    try check(delete.former, of: delete.name, over: stored)
    raiseHead(over: delete.former)
    let tombstone = self.delete(
      stored, operation: operationIndex, move: delete.move, former: delete.former)
    return .deleted(tag: tombstone.tag)
  }

  /// Refuses to complete a move of a record that another move has already moved elsewhere. The second
  /// device must merge its copy into the first one's.
  private func checkMove(
    _ delete: Operation.Delete, tombstone: Change?
  ) throws(OperationFailure) {
    guard let move = delete.move, let first = tombstone?.move, first != move, !delete.isForced
    else { return }
    throw OperationFailure(
      error: RecordsError(
        .serverRecordChanged, "Record \(delete.name) was moved by another device.",
        hint: "Merge your copy into the record that carries the tombstone's move id.",
        record: delete.name, reason: "moved"),
      serverRecord: visible(tombstone))
  }

  /// Adds a move's id to the tombstone of a record that another device deleted without knowing of the move. A record that
  /// the broker has never had, or has lost in a restore, gets a tombstone: another device may still move or edit it. Later
  /// moves and edits then follow the record. Returns the new tag, if there is another tombstone.
  private mutating func completeMove(_ delete: Operation.Delete, tombstone: Change?) -> Revision? {
    guard let move = delete.move, tombstone.map({ $0.kind == .deleted && $0.move == nil }) ?? true,
      !zoneID.isPublic
    else { return nil }
    if tombstone == nil { raiseHead(over: delete.former) }
    let tag = (zone?.head ?? .zero).next
    let moved = Change(
      name: delete.name, tag: tag, kind: .deleted,
      type: tombstone?.type ?? Self.unknownType, created: tombstone?.created ?? stamp,
      modified: stamp, record: .empty, move: move,
      former: former(tombstone == nil ? delete.former : nil, over: tombstone, at: tag))
    write(moved, mentioning: .nothing, over: tombstone)
    return moved.tag
  }

  /// The type of a record of which the broker knows only that it was moved.
  private static let unknownType = RecordType(stored: "Moved")

  /// Deletes a record and returns its tombstone. Referring records are deleted after the writes. If no
  /// operation asked for the deletion, the cascade stops at records that this group saved, because they may
  /// refer to a new record of the same name.
  private mutating func delete(
    _ stored: Change, operation: Int?, move: MoveID? = nil, former: FormerVersion? = nil
  ) -> Change {
    let tag = (zone?.head ?? .zero).next
    let tombstone = Change(
      name: stored.name, tag: tag, kind: .deleted, type: stored.type,
      created: stored.created, modified: stamp, record: .empty, move: move,
      former: self.former(former, over: stored, at: tag))
    write(tombstone, mentioning: .nothing, over: stored)
    let creator = stored.created.origin.account
    budget.records.creditRecord(
      to: zoneID.isPublic ? creator : zoneID.owner, createdBy: creator)
    let after = operation == nil ? headBefore.next : tag
    deletions.append((Cascade.Parent(name: tombstone.name, tag: after), operation))
    return tombstone
  }

  // MARK: Former histories

  /// Rejects a state of a former history that is contained in the stored one: another device had a later state.
  private func check(
    _ former: FormerVersion?, of name: RecordName, over stored: Change?
  ) throws(OperationFailure) {
    guard let former, let stored, !stored.isOfDamaged, let history = zone?.history,
      history.versions(of: stored).includes(former.versions)
    else { return }
    throw OperationFailure(
      error: RecordsError(
        .serverRecordChanged, "Another device had a later state of record \(name).",
        hint: "Merge your changes with the current record.", record: name),
      serverRecord: visible(stored))
  }

  /// Returns what a record's state contains of former histories after it was saved or deleted.
  /// - Parameter saved: The same, as the operation says it.
  private func former(
    _ saved: FormerVersion?, over stored: Change?, at tag: Revision
  ) -> FormerVersion? {
    zone?.history.former(zoneID.isPublic ? nil : saved, over: stored, at: tag)
  }

  /// Puts the next revision above those of a former history, also if the zone was created again and continues none. So a
  /// record's versions are in the order of their revisions. Only the owner can use up the revisions of a zone.
  private mutating func raiseHead(over former: FormerVersion?) {
    guard let newest = former?.versions.newest, let zone, zone.id.owner == account,
      newest > zone.head, newest.value < Limits.numberMaximum / 2
    else { return }
    self.zone?.head = newest
  }

  /// Refuses a record that names an unavailable asset, so that every stored asset reference has its bytes.
  /// Assets that the record named before are allowed.
  private mutating func checkNamed(
    _ named: [Asset], by save: Operation.Save, live: Change?
  ) throws(OperationFailure) {
    guard !named.isEmpty else { return }
    let before = Set(live?.record.assets ?? [])
    for asset in named where !before.contains(asset) {
      if budget.assets?.contains(asset, in: zoneID) == true {
        try charge(asset, for: save, over: live)
        continue
      }
      throw refusal(
        RecordsError(
          .assetNotAvailable,
          "Record \(save.name) refers to the asset \(asset.id), which this account has not uploaded.",
          hint: "Upload the asset, then save the record.", record: save.name))
    }
  }

  /// Charges an asset to the owner of the zone or, in the public database, to the record's creator.
  private mutating func charge(
    _ asset: Asset, for save: Operation.Save, over live: Change?
  ) throws(OperationFailure) {
    let isPublic = zoneID.isPublic
    let payer = isPublic ? live?.created.origin.account ?? account : zoneID.owner
    let limitBytes = context.quotas.accountBytes
    let isParticipant = !isPublic && payer != account
    let participantsBytes = isParticipant ? context.quotas.ofParticipants(limitBytes) : nil
    let charge =
      budget.assets?.charge(
        asset, to: payer, limitBytes: limitBytes, participantsBytes: participantsBytes) ?? .done
    guard charge != .done else { return }
    if charge == .beyondParticipants {
      var error = RecordsError.participants(
        "\(ByteCount(participantsBytes ?? 0).limit) of assets")
      error.record = save.name
      throw refusal(error)
    }
    let who = isPublic ? "The account that created this record" : "The owner of this zone"
    throw refusal(
      RecordsError(
        .quotaExceeded,
        "\(who) has no space for the asset \(asset.id): the limit is "
          + "\(ByteCount(limitBytes).limit) of assets.",
        hint: "Ask \(isPublic ? "its user" : "the owner") to delete assets that are not needed.",
        record: save.name,
        reason: "ownersQuota"))
  }

  private mutating func write(
    _ change: Change, mentioning mentions: Mentions, over stored: Change?
  ) {
    zone?.head = change.tag
    if touchedMaximum > 0 { touched[change.name] = writes.count }
    writes.append(.record(zone: zoneID, change, over: stored))
    let before = stored?.record.mentions ?? .nothing
    if !mentions.assets.isEmpty || !before.assets.isEmpty {
      writes.append(.assets(zone: zoneID, change, mentions.assets))
    }
    guard mentions.parents != before.parents else { return }
    writes.append(
      .parents(zone: zoneID, change.name, mentions.parents, before: before.parents))
  }

  private func check(_ error: RecordsError?) throws(OperationFailure) {
    if let error { throw refusal(error) }
  }

  private func refusal(_ error: RecordsError) -> OperationFailure {
    OperationFailure(error: error)
  }

  private var zoneErased: OperationFailure {
    refusal(
      RecordsError(
        .zoneNotFound, "The records of this zone have been erased.",
        hint: "A deleted zone can be restored for 30 days, unless the trash is emptied before.",
        reason: RecordsError.zoneErasedReason))
  }

  private var zoneNotFound: OperationFailure {
    refusal(
      RecordsError(
        .zoneNotFound, "The zone \(zoneID.name) does not exist.",
        hint: "It was deleted, or is no longer shared with this account.",
        reason: "noSuchZone"))
  }
}

extension Operation {
  /// Whether the operation concerns the zone and not a record in it.
  fileprivate var isAboutZone: Bool {
    switch self {
    case .saveZone, .deleteZone, .restoreZone, .emptyTrash: true
    case .save, .delete: false
    }
  }
}
