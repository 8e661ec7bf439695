// What a request's outcome does to the store: each edit is taken, merged and sent again, or parked.
// An action that was refused is parked as one; an action of which one part met a conflict is sent
// again as one.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// The application of one outcome.
struct OutcomeApplication {
  private let transaction: DeviceTransaction
  private let outcome: ModifyOutcome
  private let machine: SyncMachine
  /// Groups whose deletion was refused, for the machine to follow again.
  private(set) var zonesTakenBack: [ZoneID] = []
  /// Groups that the broker does not know, for the machine to ask about.
  private(set) var zonesDoubted: Set<ZoneID> = []
  /// The zones that were made.
  private(set) var zonesMade: [ZoneID] = []
  /// Edits whose outcome could not be stored, for the log.
  private(set) var unstored = 0
  /// Whether each entry is ended by itself, because ending all of them failed.
  private var isOneByOne = false

  /// - Parameter machine: how the conversation stands: what of it is asked about and sent again.
  init(_ transaction: DeviceTransaction, _ outcome: ModifyOutcome, machine: SyncMachine) {
    self.transaction = transaction
    self.outcome = outcome
    self.machine = machine
  }

  private var db: Database { transaction.db }

  /// Does it.
  mutating func apply() throws {
    let number = outcome.number.value
    let entries = try OutboxEntry.load(
      db, where: "number = ? ORDER BY group_index, operation_index", [number])
    let before = self
    do {
      try transaction.attempt { try end(all: entries) }
    } catch let error where error.isOfOneRecord {
      // NB: the tables refused one row; only then is the price paid for finding out which.
      self = before
      isOneByOne = true
      try end(all: entries)
    }
    // A group of the request that no entry stands behind any more was about a zone that is gone.
    if Set(entries.map(\.groupIndex)).count < outcome.groups.count {
      try Erasure.need(transaction)
    }
    try db.run("DELETE FROM request WHERE number = ?", [number])
    try db.run("UPDATE identity SET acknowledged = ?", [number])
  }

  private mutating func end(all entries: [OutboxEntry]) throws {
    for (index, group) in Dictionary(grouping: entries, by: { $0.groupIndex ?? 0 })
      .sorted(by: { $0.key < $1.key })
    {
      let results = index < outcome.groups.count ? outcome.groups[index] : []
      try attempt(group, results) { try $0.end(group, results) }
    }
  }

  /// Does `body`. Where entries are ended by themselves and it fails, its entries are set aside.
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
    let isAhead = try isAheadOfParent(entries, failure)
    if isAhead {
      failure = RecordsError(.batchRequestFailed, "An edit that it depends on is sent again first.")
    }
    if let failure, failure.code == .serverRecordChanged, entries.first?.kind == .bundled {
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
    guard let zone = try ZoneRow.load(db, key: entry.zone) else {
      // What went with a zone whose making this very outcome refuses has been counted.
      if try entry.isStored(db) { try EntryEnding.apply(entry, transaction) }
      return
    }
    let result = self.result(of: entry, results, culprit: excused(failure, zone) ?? failure)
    if try isBystander(entry, results, zone) {
      try end(entry, .failed(Self.notCarriedOut, serverRecord: nil), zone)
    } else if entry.kind.isRecord {
      try end(entry, result, zone)
    } else {
      try endZone(entry, result, zone)
    }
  }

  /// Whether the entry is what lost in a merge, and only the edit it lost with was refused: it is sent
  /// again without that, or nobody would have it any more.
  private func isBystander(
    _ entry: OutboxEntry, _ results: [OperationResult], _ zone: ZoneRow
  ) throws -> Bool {
    guard let index = entry.operationIndex, index < results.count,
      case .failed(let error, _) = results[index], error.code == .batchRequestFailed,
      let name = entry.name
    else { return false }
    return try RecordRow.load(db, zone: zone.key, name: name)?.layers.type == Conflict.recordType
  }

  private static let notCarriedOut = RecordsError(
    .batchRequestFailed, "Another edit of the same request was rejected; this one is sent again.")

  /// The error that a group failed for.
  private static func culprit(of results: [OperationResult]) -> RecordsError? {
    for case .failed(let error, _) in results where error.code != .batchRequestFailed {
      return error
    }
    return nil
  }

  /// Whether a group was refused only because what it goes with has to be sent again itself, for its
  /// file, say: both were under way. It then goes alone, behind that.
  ///
  /// NB: once. Two actions whose records go with each other's would wait for each other for ever.
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

  /// What was under way when the broker turned out not to know the zone waits for what the directory
  /// says of it, or behind its making (see `ZoneRemaking`). Other zones that are being made here are
  /// there before anything is put into them, or their making is refused with what is in them.
  private mutating func excused(_ failure: RecordsError?, _ zone: ZoneRow) -> RecordsError? {
    guard failure?.code == .zoneNotFound, zone.zone.owner == .current else { return nil }
    if zone.state == .present, machine.mayDoubt(zone.zone) {
      zonesDoubted.insert(zone.zone)
    } else if zone.state != .creating {
      return nil
    }
    return RecordsError(
      .batchRequestFailed, "The broker does not have the group; it is queried again.")
  }

  /// An action refused for good is refused in all its parts.
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
    let ending = EntryEnding(transaction, zone: zone)
    guard let name = entry.name, var row = try RecordRow.load(db, zone: zone.key, name: name)
    else { return try ending.apply(entry) }
    guard let result else {
      // A first record that was deleted before it was sent: nothing of it is left.
      row.layers.bundled = nil
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
      return try ending.apply(entry)
    }
    let before = row
    noticeSilence(result, &row.layers, zone)
    let held = row.layers.held
    let effect: RecordLayers.OutcomeEffect
    do {
      if zone.isReadAnew(row) { try forgetHistory(of: &row, beside: result) }
      effect = try row.layers.ended(outcome.number, result)
    } catch {
      // The broker's record is one this version cannot read, so nothing can be merged with it.
      return try ending.refuse(entry, before, because: error)
    }
    let conflicts = row.layers.left(of: effect.conflicts, in: zone.zone)
    try Relocations(transaction).follow(&row, from: before.layers, in: zone)
    switch effect {
    case .known:
      try ending.apply(entry)
    case .applied:
      try row.store(in: transaction, zone: zone, by: transaction.author(of: row.layers, held: held))
      if case .deleted(tag: nil, _) = result {
        try PastTable(transaction).deletedBefore(
          name, in: zone, known: before.layers.ancestor.tag)
      }
      try ending.apply(entry)
      try ending.settle(row.layers, conflicts: conflicts)
      try Relocations(transaction).arrived(row, in: zone)
    case .merged, .requeued:
      try row.store(in: transaction, zone: zone, by: transaction.author(of: row.layers, held: held))
      var again = entry
      try again.thaw(db)
      if zone.state == .creating { try again.enterLast(db) }
      try ending.settle(row.layers, conflicts: conflicts)
    case .refused(let error):
      try ending.refuse(entry, before, because: error)
    }
  }

  /// A late answer to a save that the feed has passed without a word: the first reading leaves out
  /// what was deleted before it began, so somebody has deleted the record since.
  private func noticeSilence(
    _ result: OperationResult, _ layers: inout RecordLayers, _ zone: ZoneRow
  ) {
    guard case .saved(let tag) = result, layers.inFlight?.number == outcome.number,
      layers.held == nil, zone.sweep == .none, let token = zone.token,
      tag <= min(token.scanStart, token.revision)
    else { return }
    layers.held = BrokerState(tag: token.scanStart, fields: nil)
  }

  /// The outcome is of a new history, ahead of its reading.
  private func forgetHistory(
    of row: inout RecordRow, beside result: OperationResult
  ) throws(RecordsError) {
    switch result {
    case .failed(let error, let server?) where error.code == .serverRecordChanged:
      row.layers.forgetHistory(beside: try BrokerState(server))
      row.isSeen = true
    // It was not there, and what comes after it may have a lower tag than it had.
    case .deleted(tag: nil, _): row.layers.ancestor.tag = nil
    case .failed(let error, nil) where error.code == .serverRecordChanged:
      row.layers.ancestor.tag = nil
    default: break
    }
  }

  private mutating func endZone(
    _ entry: OutboxEntry, _ result: OperationResult?, _ zone: ZoneRow
  ) throws {
    var zone = zone
    guard case .failed(let error, _) = result else {
      if entry.kind == .saveZone {
        zone.knownTitle = entry.title
        if zone.state == .creating {
          zone.state = .present
          zonesMade.append(zone.zone)
        }
        try zone.store(db)
      }
      return try EntryEnding.apply(entry, transaction)
    }
    if error.code == .batchRequestFailed, entry.kind == .emptyTrash {
      var again = entry
      return try again.thaw(db)
    }
    transaction.ledger.rejected += entry.edits
    try entry.remove(db)
    try Parking.park(
      zone.zone, title: zone.title, isDeletion: entry.kind == .deleteZone, because: error,
      transaction: transaction)
    if entry.kind == .deleteZone {
      zone.state = .present
      zone.token = nil
      try zone.store(db)
      zonesTakenBack.append(zone.zone)
    } else if zone.state == .creating {
      try ZoneLoss.lose(zone, because: error, transaction)
    } else {
      if entry.kind == .saveZone { zone.title = zone.knownTitle ?? zone.title }
      try zone.store(db)
    }
  }
}

extension RecordLayers.OutcomeEffect {
  fileprivate var conflicts: [Conflict] {
    switch self {
    case .applied(let conflicts), .merged(let conflicts), .requeued(let conflicts): conflicts
    case .known, .refused: []
    }
  }
}
