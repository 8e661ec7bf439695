// Applies the outcome of a request to the store. Each edit is applied, merged and sent again, or rejected. If one edit
// of an action is rejected, all are. If one has a conflict, all are sent again together.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// Applies one outcome.
struct OutcomeApplication {
  private let transaction: DeviceTransaction
  private let outcome: ModifyOutcome
  private let machine: SyncMachine
  /// Zones whose deletion was rejected. The machine follows them again.
  private(set) var zonesTakenBack: [ZoneID] = []
  /// The notifications about rejected deletions of groups.
  private(set) var news: [SharingNews] = []
  /// Zones that the broker does not know. The machine asks the directory about them.
  private(set) var zonesDoubted: Set<ZoneID> = []
  /// Zones that were created.
  private(set) var zonesMade: [ZoneID] = []
  /// The number of edits whose outcome could not be stored, for the log.
  private(set) var unstored = 0
  /// Whether each entry is resolved in a savepoint of its own, because resolving all of them together failed.
  private var isOneByOne = false
  /// Entries that were confirmed and are still in the outbox, because they are removed together. Their ids have no gaps.
  private var confirmed: ClosedRange<Int64>?
  /// The zone of the last entry. Confirming a record does not change it; anything else may, so it is read again.
  private var lastZone: ZoneRow?

  /// - Parameter machine: the sync machine, whose state determines which edits are sent again.
  init(_ transaction: DeviceTransaction, _ outcome: ModifyOutcome, machine: SyncMachine) {
    self.transaction = transaction
    self.outcome = outcome
    self.machine = machine
  }

  private var db: Database { transaction.db }

  /// The stamp of the records that the request saved; `nil` if every operation failed.
  private var stamp: Stamp? {
    guard let time = outcome.time, let account = transaction.account,
      let device = transaction.device
    else { return nil }
    return Stamp(
      time: time, origin: Origin(account: account, device: device, request: outcome.number))
  }

  /// Applies the outcome.
  mutating func apply() throws {
    let number = outcome.number.value
    let entries = try OutboxEntry.load(
      db, where: "number = ? ORDER BY group_index, operation_index", [number])
    let before = self
    do {
      try transaction.attemptTogether { try end(all: entries) }
    } catch let error where error.isOfOneRecord {
      // NB: one row violates a constraint. Only then are the entries resolved one by one, which is slower.
      self = before
      isOneByOne = true
      try end(all: entries)
    }
    // A group without entries belongs to a zone that was removed.
    if Set(entries.map(\.groupIndex)).count < outcome.groups.count {
      try Erasure.need(transaction)
    }
    try db.run("DELETE FROM request WHERE number = ?", [number])
    try db.run("UPDATE identity SET acknowledged = ?", [number])
  }

  private mutating func end(all entries: [OutboxEntry]) throws {
    // The entries are in the order of their groups.
    var rest = entries[...]
    while let first = rest.first {
      let index = first.groupIndex ?? 0
      let group = Array(rest.prefix { ($0.groupIndex ?? 0) == index })
      rest = rest.dropFirst(group.count)
      let results = index < outcome.groups.count ? outcome.groups[index] : []
      try attempt(group, results) { try $0.end(group, results) }
    }
    try removeConfirmed()
  }

  /// Removes the entry later, together with others.
  private mutating func removeLater(_ entry: OutboxEntry) throws {
    guard let id = entry.id else { return }
    if let confirmed, confirmed.upperBound == id - 1 {
      self.confirmed = confirmed.lowerBound...id
    } else {
      try removeConfirmed()
      confirmed = id...id
    }
    // A savepoint ends with the entry.
    if isOneByOne { try removeConfirmed() }
  }

  private mutating func removeConfirmed() throws {
    guard let ids = confirmed else { return }
    confirmed = nil
    try OutboxEntry.remove(ids, transaction)
  }

  /// Runs `body`. If entries are resolved one by one and it fails, sets its entries aside.
  private mutating func attempt(
    _ entries: [OutboxEntry], _ results: [OperationResult], _ body: (inout Self) throws -> Void
  ) throws {
    guard isOneByOne else { return try body(&self) }
    let before = self
    do {
      try transaction.attempt { try body(&self) }
    } catch let error where error.isOfOneRecord {
      self = before
      for entry in entries {
        let index = entry.operationIndex ?? .max
        let result = index < results.count ? results[index] : nil
        try UnstoredOutcome(transaction).setAside(entry, result, because: error)
        unstored += 1
      }
    }
  }

  private mutating func end(_ entries: [OutboxEntry], _ results: [OperationResult]) throws {
    var failure = Self.culprit(of: results)
    if failure != nil { try removeConfirmed() }
    let isAhead = try isAheadOfParent(entries, failure)
    if isAhead {
      failure = RecordsError(.batchRequestFailed, "An edit that it depends on is sent again first.")
    }
    if let failure, failure.code == .serverRecordChanged, entries.first?.kind == .bundled {
      lastZone = nil
      return try FirstRun.drop(
        transaction, results: results, entries: entries, isLevel: machine.isLevel(.standard))
    }
    for var entry in entries {
      entry.isAlone = entry.isAlone || isAhead
      try attempt([entry], results) { try $0.end(entry, results, failure) }
    }
  }

  private mutating func end(
    _ entry: OutboxEntry, _ results: [OperationResult], _ failure: RecordsError?
  ) throws {
    guard let zone = try zone(entry.zone) else {
      // If this outcome rejects the zone's creation, the edits of its records have been counted already.
      if try entry.isStored(db) { try EntryResolution.apply(entry, transaction) }
      return
    }
    if failure == nil, let index = entry.operationIndex, index < results.count,
      case .saved(let tag) = results[index],
      try RecordConfirmation(transaction, zone: zone).confirm(entry, at: tag, stamp: stamp)
    {
      return try removeLater(entry)
    }
    try removeConfirmed()
    lastZone = nil
    let isCreation = entry.kind == .saveZone && zone.state == .creating
    let excuse = isCreation ? nil : excused(failure, zone)
    let result = self.result(of: entry, results, culprit: excuse ?? failure)
    if try isBystander(entry, results, zone) {
      try end(entry, .failed(Self.notCarriedOut, serverRecord: nil), zone)
    } else if entry.kind.isRecord {
      try end(entry, result, zone)
    } else {
      try endZone(entry, result, zone)
    }
  }

  private mutating func zone(_ key: Int64) throws -> ZoneRow? {
    if let lastZone, lastZone.key == key { return lastZone }
    lastZone = try ZoneRow.load(db, key: key)
    return lastZone
  }

  /// Whether the entry saves a conflict and only the edit in the same group was rejected. The conflict is sent again
  /// alone, because it has the only copy of the losing value.
  private func isBystander(
    _ entry: OutboxEntry, _ results: [OperationResult], _ zone: ZoneRow
  ) throws -> Bool {
    guard let index = entry.operationIndex, index < results.count,
      case .failed(let error, _) = results[index], error.code == .batchRequestFailed,
      let name = entry.name
    else { return false }
    return try RecordRow.load(db, zone: zone.key, name: name)?.layers.type
      == ConflictRecord.recordType
  }

  private static let notCarriedOut = RecordsError(
    .batchRequestFailed, "Another edit of the same request was rejected; this one is sent again.")

  /// The error that made a group fail.
  private static func culprit(of results: [OperationResult]) -> RecordsError? {
    for case .failed(let error, _) in results where error.code != .batchRequestFailed {
      return error
    }
    return nil
  }

  /// Whether a group was rejected only because the parent of a record has to be sent again, for example because of its
  /// file. Both were in flight. The group is then sent again alone, after the parent.
  ///
  /// NB: this happens once for each entry. Otherwise two actions with cyclic references would wait for each other
  /// without end.
  private func isAheadOfParent(_ entries: [OutboxEntry], _ failure: RecordsError?) throws -> Bool {
    guard failure?.code == .referenceViolation, failure?.reason == "parentMissing",
      !entries.contains(where: \.isAlone)
    else { return false }
    for entry in entries {
      guard let name = entry.name,
        let row = try RecordRow.load(db, zone: entry.zone, name: name),
        let fields = row.layers.inFlight?.fields
      else { continue }
      for case .reference(let reference) in fields.all.map(\.value) {
        let waiting = try OutboxEntry.load(
          db,
          where: """
            zone = ? AND name = ? AND deletion = 0 AND held = 0 AND moving = 0
              AND (number IS NULL OR number <> ? OR group_index <> ?)
            """,
          [entry.zone, reference.record.text, outcome.number.value, entry.groupIndex])
        if !waiting.isEmpty { return true }
      }
    }
    return false
  }

  /// Returns an error that requeues the edits of a zone that the broker does not know, if the directory has to be asked
  /// about the zone or the zone is being created again (see `ZoneRecreation`). Otherwise returns `nil`. New zones are
  /// not concerned: the broker creates them before their records, or rejects both.
  private mutating func excused(_ failure: RecordsError?, _ zone: ZoneRow) -> RecordsError? {
    guard failure?.code == .zoneNotFound, zone.zone.owner == .current else { return nil }
    if zone.state == .present, machine.mayDoubt(zone.zone) {
      zonesDoubted.insert(zone.zone)
    } else if zone.state != .creating {
      return nil
    }
    return RecordsError(
      .batchRequestFailed, "The broker does not have the zone; it is queried again.")
  }

  /// Returns the result of an entry. If one edit of its group was rejected, all are.
  private func result(
    of entry: OutboxEntry, _ results: [OperationResult], culprit: RecordsError?
  ) -> OperationResult? {
    if machine.offersAgain, culprit?.code == .assetNotAvailable {
      return .failed(
        RecordsError(
          .batchRequestFailed, "The broker no longer had the file; it is uploaded again."),
        serverRecord: nil)
    }
    if let culprit, culprit.code != .serverRecordChanged {
      return .failed(culprit, serverRecord: nil)
    }
    guard let index = entry.operationIndex, index < results.count else { return nil }
    return results[index]
  }

  private func end(_ entry: OutboxEntry, _ result: OperationResult?, _ zone: ZoneRow) throws {
    let resolution = EntryResolution(transaction, zone: zone)
    guard let name = entry.name, var row = try RecordRow.load(db, zone: zone.key, name: name)
    else { return try resolution.apply(entry) }
    guard var result else {
      // A first record was deleted before it was sent.
      row.layers.bundled = nil
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
      return try resolution.apply(entry)
    }
    let before = row
    noticeSilence(result, &row.layers, zone)
    let held = row.layers.held
    let effect: RecordLayers.OutcomeEffect
    if isOfOtherHistory(result, row, zone) { result = Self.newHistory }
    if row.layers.lost != nil, case .failed(_, let server?) = result,
      let state = try? BrokerState(server)
    {
      row.layers.lostContext = try PastTable(transaction).context(
        of: row.layers, in: zone, beside: state)
    }
    let lossAfterSaving = try lossAfterSaving(&row, result, in: zone)
    do {
      if let loss = lossAfterSaving ?? lossByDamage(of: &row, result, in: zone) {
        effect = loss
      } else {
        effect = try row.layers.ended(
          outcome.number, result, stamp: stamp, in: zone.history)
        noteHistory(of: &row, result, over: before, in: zone)
      }
    } catch {
      // This version cannot read the broker's record, so the edit cannot be merged.
      return try resolution.refuse(entry, before, because: error)
    }
    let conflicts = row.layers.left(of: effect.conflicts, in: zone.zone)
    try Relocations(transaction).follow(&row, from: before.layers, in: zone)
    switch effect {
    case .known:
      try resolution.apply(entry)
    case .applied:
      try row.store(in: transaction, zone: zone, by: transaction.author(of: row.layers, held: held))
      if case .deleted(tag: nil, _) = result {
        try PastTable(transaction).deletedBefore(
          name, in: zone, known: before.layers.ancestor.tag)
        try noteDeletion(of: before, in: zone)
      }
      try resolution.apply(entry)
      try resolution.settle(row.layers, conflicts: conflicts)
      try Relocations(transaction).arrived(row, in: zone)
    case .merged, .requeued:
      try row.store(in: transaction, zone: zone, by: transaction.author(of: row.layers, held: held))
      var again = entry
      try again.returnToOutbox(transaction)
      if zone.state == .creating { try again.enterLast(transaction) }
      try resolution.settle(row.layers, conflicts: conflicts)
    case .refused(let error):
      try resolution.refuse(entry, before, because: error)
    }
  }

  /// Handles the answer that the state that was edited is damaged on the broker's disk; `nil` for any other one. No device
  /// deleted the record. It is sent again as a whole, with what the edited state contains of former histories, which the
  /// broker lost with it.
  private func lossByDamage(
    of row: inout RecordRow, _ result: OperationResult, in zone: ZoneRow
  ) -> RecordLayers.OutcomeEffect? {
    guard case .failed(_, let server?) = result, server.isOfDamaged, !zone.zone.isPublic,
      row.layers.inFlight?.number == outcome.number, row.layers.held == nil,
      row.layers.lost == nil, row.layers.ancestor.fields != nil,
      row.layers.ancestor.tag == server.tag, let history = zone.history
    else { return nil }
    row.layers.inFlight = nil
    return .merged(
      row.beginHistory(containing: history.versions(of: row.layers.ancestor)))
  }

  /// Handles the answer that the broker saved the edit in a history that has ended since, if it lost that state to damage, and
  /// the device has read an earlier one that another device sent in its place; `nil` for any other one. The present
  /// state does not contain the saved one although its tag is higher.
  private func lossAfterSaving(
    _ row: inout RecordRow, _ result: OperationResult, in zone: ZoneRow
  ) throws -> RecordLayers.OutcomeEffect? {
    guard case .saved(let tag) = result, row.layers.inFlight?.number == outcome.number,
      let present = row.layers.held, !zone.zone.isPublic, !zone.isUnreadInNewHistory(row),
      let history = zone.history, let ended = history.lineage.endedHistory(of: tag)
    else { return nil }
    var saved = row
    saved.layers.held = nil
    _ = try saved.layers.ended(outcome.number, result, stamp: stamp, in: history)
    let edited = row.layers.lost?.versions ?? VersionVector()
    saved.layers.confirmed(in: ended, over: row.layers, containing: edited)
    let versions = history.versions(of: saved.layers.ancestor)
    guard !history.versions(of: present).includes(versions) else { return nil }
    // The state that was edited becomes an earlier version, which is the base of a merge.
    try saved.store(
      in: transaction, zone: zone, by: transaction.author(of: saved.layers, held: nil))
    row = saved
    var conflicts = row.beginHistory(containing: versions)
    // NB: a broker that was rewound had the saved state too.
    row.layers.lostContext = try row.layers.lost.map { lost in
      LostContext(
        history,
        base: try PastTable(transaction).base(
          of: lost, row.layers.name, in: zone, beside: present))
    }
    if case .merged(let found) = row.layers.fed(present, own: nil) { conflicts += found }
    return .applied(conflicts)
  }

  /// Notes in which history the broker made the state, if the device has not read the record in it. Another restore may end
  /// that history before the device has read anything of it.
  ///
  /// NB: a request that the broker had carried out before this connection may be of the former history, as its tag says.
  private func noteHistory(
    of row: inout RecordRow, _ result: OperationResult, over before: RecordRow, in zone: ZoneRow
  ) {
    let edited = before.layers.ancestor
    guard zone.isUnreadInNewHistory(before), !machine.isRepeated(outcome.number),
      let incarnation = zone.token?.incarnation ?? zone.listedIncarnation,
      let tag = result.tag, tag == row.layers.ancestor.tag, tag != edited.tag
    else { return }
    // The new history need not have the deletion of a record that was made again.
    let known = edited.fields == nil ? VersionVector() : zone.versions(before: edited)
    row.layers.confirmed(in: incarnation, over: before.layers, containing: known)
  }

  /// Notes that a saved record was deleted since, if its outcome arrives after the device has read the zone past it. A
  /// first reading omits records that were deleted before it began.
  private func noticeSilence(
    _ result: OperationResult, _ layers: inout RecordLayers, _ zone: ZoneRow
  ) {
    guard case .saved(let tag) = result, layers.inFlight?.number == outcome.number,
      layers.held == nil, zone.sweep == .none, let token = zone.token,
      tag <= min(token.scanStart, token.revision)
    else { return }
    layers.held = BrokerState(tag: token.scanStart, fields: nil)
  }

  /// Whether the broker has a new history, of which this device has not received the record's state. The feed will bring
  /// it, with what is needed to compare it.
  private func isOfOtherHistory(
    _ result: OperationResult, _ row: RecordRow, _ zone: ZoneRow
  ) -> Bool {
    guard case .failed(let error, _) = result, error.code == .serverRecordChanged,
      !zone.zone.isPublic
    else { return false }
    if zone.isUnreadInNewHistory(row) { return true }
    return zone.listedIncarnation.map { $0 != zone.incarnation } ?? false
  }

  private static let newHistory = OperationResult.failed(
    RecordsError(.batchRequestFailed, "The broker has a new history; the record is read first."),
    serverRecord: nil)

  /// Stores the deletion of a record that the broker did not have, and that it may have lost. The deletion is later than
  /// the state that was deleted.
  private func noteDeletion(of before: RecordRow, in zone: ZoneRow) throws {
    guard var versions = deletedVersions(of: before, in: zone) else { return }
    if let last = versions.entries.max(by: { $0.revision < $1.revision }) {
      versions.raise(last.incarnation, to: last.revision.next)
    }
    try DeletedRecordTable(db: db).note(
      before.layers.name, in: zone, versions, move: before.layers.departure, at: transaction.now)
  }

  /// What the state contains that was deleted; `nil` if the broker had confirmed none.
  private func deletedVersions(of row: RecordRow, in zone: ZoneRow) -> VersionVector? {
    if let lost = row.layers.lost { return lost.versions }
    let ancestor = row.layers.ancestor
    guard ancestor.tag != nil, ancestor.fields != nil, let history = zone.history else {
      return nil
    }
    return zone.isUnreadInNewHistory(row)
      ? zone.versions(before: ancestor) : history.versions(of: ancestor)
  }

  private mutating func endZone(
    _ entry: OutboxEntry, _ result: OperationResult?, _ zone: ZoneRow
  ) throws {
    var zone = zone
    if case .failed(let error, _) = result, error.code == .batchRequestFailed,
      [.emptyTrash, .restoreZone].contains(entry.kind)
    {
      var again = entry
      return try again.returnToOutbox(transaction)
    }
    if entry.kind == .emptyTrash { try DeletedGroups.endErasure(of: zone, db) }
    guard case .failed(let error, _) = result else {
      if entry.kind == .deleteZone {
        try DeletedZoneTable(db: db).note(zone, at: transaction.now)
      }
      if entry.kind == .saveZone {
        let isOvertaken = machine.isRepeated(outcome.number) && zone.knownTitle != nil
        if entry.edits > 0 && !isOvertaken || zone.state == .creating {
          zone.knownTitle = entry.title
        } else {
          try showKnownTitle(&zone, after: entry)
        }
        if zone.state == .creating {
          zone.state = .present
          zonesMade.append(zone.zone)
        }
        try zone.store(db)
      }
      if entry.kind == .restoreZone { try show(&zone) }
      if entry.kind == .deleteZone, try ZoneDeletionTable.isRestored(zone, db) {
        try takeBack(&zone)
      }
      return try EntryResolution.apply(entry, transaction)
    }
    let isOfDeletedZone = zone.state == .creating && error.code == .zoneNotFound
    let reason = isOfDeletedZone ? RecordsError.deletedZone : error.ofDeletedZone(transaction.rules)
    transaction.ledger.rejected += entry.edits
    try entry.remove(transaction)
    try RejectedEdits.store(
      zone.zone, title: zone.title, isDeletion: entry.kind == .deleteZone, because: reason,
      transaction: transaction)
    if entry.kind == .deleteZone {
      try takeBack(&zone)
      news.append(.rejectedDeletion(of: zone, because: reason))
    } else if zone.state == .creating {
      _ = try ZoneLoss.lose(zone, because: reason, transaction)
    } else if zone.state == .deleted, error.reason == RecordsError.zoneErasedReason {
      try zone.delete(in: transaction)
    } else {
      if entry.kind == .saveZone { zone.title = zone.knownTitle ?? zone.title }
      try zone.store(db)
    }
  }

  /// Shows the title that the directory named. It is later than a title that was saved before this connection, and a title
  /// that was saved again may have lost against it. That title was shown until now.
  private func showKnownTitle(_ zone: inout ZoneRow, after entry: OutboxEntry) throws {
    let others = try OutboxEntry.load(
      db, where: "zone = ? AND name IS NULL AND kind = ?", [zone.key, entry.kind.rawValue]
    ).filter { $0.id != entry.id }
    guard others.isEmpty, let title = zone.knownTitle, title != zone.title else { return }
    zone.title = title
    guard zone.state.isShown else { return }
    try transaction.append(
      .updated, type: LocalEvent.groupType, zone: zone.zone, id: zone.zone.name.description,
      title: title, by: .unknown)
  }

  /// Shows a restored zone. Its records arrive with its feed.
  private mutating func show(_ zone: inout ZoneRow) throws {
    guard zone.state == .deleted else { return }
    zone.state = .present
    zone.deletion = nil
    try zone.store(db)
    zonesMade.append(zone.zone)
    try transaction.append(
      .created, type: LocalEvent.groupType, zone: zone.zone, id: zone.zone.name.description,
      title: zone.title, by: .unknown)
  }

  /// Shows a zone again whose deletion the broker rejected, or that was restored since. The device reads it from the start.
  private mutating func takeBack(_ zone: inout ZoneRow) throws {
    zone.state = .present
    zone.token = nil
    try zone.store(db)
    try ZoneDeletionTable.forget(zone, db)
    try DeletedZoneTable(db: db).forget(zone.zone)
    try RejectedEdits.show(of: zone, transaction)
    zonesTakenBack.append(zone.zone)
    try transaction.append(
      .created, type: LocalEvent.groupType, zone: zone.zone, id: zone.zone.name.description,
      title: zone.title, by: .unknown)
  }
}

extension RecordsError {
  /// The error with its hint in the message, because only the message is stored with a rejected edit.
  fileprivate func ofDeletedZone(_ rules: ApplicationRules) -> RecordsError {
    guard reason == Self.zoneChangedReason else { return self }
    return RecordsError(code, rules.sentences.error(self).description)
  }
}

extension OperationResult {
  /// The tag that the record got.
  fileprivate var tag: Revision? {
    switch self {
    case .saved(let tag): tag
    case .deleted(let tag, _): tag
    default: nil
    }
  }
}

extension RecordLayers.OutcomeEffect {
  fileprivate var conflicts: [ConflictRecord] {
    switch self {
    case .applied(let conflicts), .merged(let conflicts), .requeued(let conflicts): conflicts
    case .known, .refused: []
    }
  }
}
