// Builds the next numbered request from unsent outbox entries, in their order. The edits of one action stay
// together, a record has at most one edit in flight, and the deletion of a group follows all other edits of the
// group. The request is stored before it is sent, and sent again unchanged until its outcome arrives.

import ByteCounts
import Foundation
import GRDB
import Records
import RecordsWire
import SQLiteFile
import SyncCore

/// Selects unsent outbox entries and packs them into one request.
struct RequestBuilder {
  private let transaction: DeviceTransaction
  private let machine: SyncMachine
  private var batch = RequestBatch(bytesMaximum: DeviceLimits.packedBytes)
  private var frozen: [(entry: OutboxEntry, row: RecordRow?)] = []
  private var zones: [Int64: ZoneRow] = [:]
  /// Zones with skipped entries. Their deletion has to wait.
  private var waitingZones: Set<Int64> = []
  /// Zones whose edits cannot be sent now. Their entries are not examined.
  private var closedZones: Set<Int64> = []
  private var actionsSeen: Set<Int64> = []
  private var isFull = false
  /// The number of entries that this pass marked as waiting.
  private var waits = 0
  /// Whether the pass reached its limit after it marked entries as waiting. The next pass examines the rest.
  private(set) var isUnfinished = false
  /// Whether any record is moving between zones; looked up once.
  private var hasMoves = false

  init(_ transaction: DeviceTransaction, machine: SyncMachine) {
    self.transaction = transaction
    self.machine = machine
  }

  private var db: Database { transaction.db }

  /// Builds and stores the next request.
  ///
  /// The query excludes entries that the deletion guard holds, that wait for a file or for a move, and entries of
  /// zones that are still being read. Otherwise thousands of them could prevent later entries from being sent.
  /// - Returns: the request and its size; `nil` if there is nothing to send.
  mutating func build() throws -> (request: ModifyRequest, byteCount: Int)? {
    var last: Int64 = 0
    var examined = 0
    hasMoves = try Moves.areThere(db)
    while !isFull, examined < DeviceLimits.entriesPerPass, waits < DeviceLimits.waitsPerPass {
      let entries = try OutboxEntry.load(
        db,
        where: """
          number IS NULL AND held = 0 AND awaited IS NULL AND moving = 0 AND id > ?
            AND zone NOT IN (SELECT value FROM json_each(?))
          ORDER BY id LIMIT \(Limits.operationsPerRequest)
          """, [last, "\(closedZones.sorted())"])
      for entry in entries where !isFull && !closedZones.contains(entry.zone) {
        try consider(entry)
      }
      guard let end = entries.last?.id else {
        isUnfinished = false
        break
      }
      last = end
      examined += entries.count
      isUnfinished = waits > 0
    }
    guard !batch.groups.isEmpty else { return nil }
    return try store()
  }

  private mutating func consider(_ entry: OutboxEntry) throws {
    guard let action = entry.action else { return try offer([entry]) }
    guard actionsSeen.insert(action).inserted else { return }
    try offer(OutboxEntry.load(db, where: "action = ? AND number IS NULL ORDER BY id", [action]))
  }

  private mutating func offer(_ entries: [OutboxEntry]) throws {
    guard let first = entries.first, let zone = try zone(first.zone) else { return }
    guard machine.mayFreeze(zone.zone) else {
      closedZones.insert(first.zone)
      waitingZones.insert(first.zone)
      return
    }
    guard try maySend(entries, zone) else {
      waitingZones.insert(first.zone)
      return
    }
    var operations: [Records.Operation] = []
    var members: [(entry: OutboxEntry, row: RecordRow?)] = []
    for var entry in entries {
      let row = try entry.name.flatMap { try record($0, in: entry.zone) }
      if let operation = try operation(entry, row, zone) {
        entry.operationIndex = operations.count
        operations.append(operation)
      } else if entry.kind == .record {
        transaction.ledger.undone += entry.edits
        try entry.remove(transaction)
        continue
      }
      members.append((entry, row))
    }
    guard !operations.isEmpty, try !waitsForFile(operations, members, first) else { return }
    try pack(OperationGroup(zone: zone.zone, operations: operations), members, zone)
  }

  private func record(_ name: RecordName, in zone: Int64) throws -> RecordRow? {
    try transaction.editedRecords.take(name, in: zone)
      ?? RecordRow.load(db, zone: zone, name: name)
  }

  /// Whether the group has to wait for a file: one of its own that the broker is not known to have, or one that a
  /// referenced record waits for. Marks the group's entries as waiting for that file.
  private mutating func waitsForFile(
    _ operations: [Records.Operation], _ members: [(entry: OutboxEntry, row: RecordRow?)],
    _ first: OutboxEntry
  ) throws -> Bool {
    guard let asset = try awaited(operations, members, first) else { return false }
    waitingZones.insert(first.zone)
    for member in members where member.entry.awaited != asset {
      var entry = member.entry
      entry.awaited = asset
      entry.operationIndex = nil
      try entry.store(transaction)
      waits += 1
    }
    return true
  }

  private func awaited(
    _ operations: [Records.Operation], _ members: [(entry: OutboxEntry, row: RecordRow?)],
    _ first: OutboxEntry
  ) throws -> Asset? {
    for (operation, member) in zip(operations, members.filter { $0.entry.operationIndex != nil }) {
      guard case .save(let save) = operation else { continue }
      let known = member.row?.layers.ancestor.fields?.assets ?? []
      let named = member.row?.assets(of: save.fields) ?? save.fields.assets
      let missing = named.first {
        !machine.heldAssets.contains($0.id) && !known.contains($0)
      }
      if let missing { return missing }
      let sent = member.row?.layers.shown
      if let awaited = try awaited(byTargetOf: save, shown: sent, first) { return awaited }
    }
    return nil
  }

  /// The file that a record referenced by `save` waits for.
  /// - Parameter shown: The shown fields, which include the saved ones. Most records refer to no other, which is found
  ///   without decoding what is sent.
  private func awaited(
    byTargetOf save: Records.Operation.Save, shown: Fields?, _ first: OutboxEntry
  ) throws -> Asset? {
    if let shown, !shown.all.contains(where: { $0.value.isReference }) { return nil }
    guard let fields = try? save.fields.fields() else { return nil }
    for field in fields.all {
      guard case .reference(let reference) = field.value else { continue }
      let pointed = try OutboxEntry.unsent(transaction, zone: first.zone, name: reference.record)
      guard let pointed, let awaited = pointed.awaited else { continue }
      if try pointed.place < first.place || isNew(reference.record, first.zone) { return awaited }
    }
    return nil
  }

  /// Whether the broker does not have the record yet, so that no other record can refer to it.
  private func isNew(_ name: RecordName, _ zone: Int64) throws -> Bool {
    try RecordRow.load(db, zone: zone, name: name)?.layers.ancestor.fields == nil
  }

  private mutating func pack(
    _ group: OperationGroup, _ members: [(entry: OutboxEntry, row: RecordRow?)], _ zone: ZoneRow
  ) throws {
    let isAlone = members.contains { $0.entry.isAlone }
    if isAlone, !batch.groups.isEmpty {
      isFull = true
      return
    }
    switch batch.offer(group) {
    case .full: isFull = true
    case .tooLarge:
      let size = RequestBatch.bytes(of: group)
      let error = RecordsError(
        .limitExceeded,
        "The change is too large: \(ByteCount(size)); "
          + "the limit is \(ByteCount(DeviceLimits.packedBytes).limit).")
      for member in members {
        try EntryResolution(transaction, zone: zone).refuse(
          member.entry, member.row, because: error)
      }
    case .taken:
      isFull = isAlone
      for var member in members {
        member.entry.groupIndex = batch.groups.count - 1
        frozen.append(member)
      }
    }
  }

  private static let entryInFlight = HotSQL(
    """
    SELECT 1 FROM outbox
    WHERE zone = ? AND name = ? AND number IS NOT NULL AND name IS NOT NULL LIMIT 1
    """)

  private mutating func maySend(_ entries: [OutboxEntry], _ zone: ZoneRow) throws -> Bool {
    guard try !areMoving(entries) else { return false }
    for entry in entries {
      guard !entry.isHeld else { return false }
      if let name = entry.name {
        let isUnderWay = try transaction.finds(Self.entryInFlight, zone: entry.zone, name: name)
        guard !isUnderWay else { return false }
      } else {
        guard try mayChange(zone, entry) else { return false }
      }
    }
    return true
  }

  /// Whether any of the entries waits for a move. Marks the entries of records that do.
  private mutating func areMoving(_ entries: [OutboxEntry]) throws -> Bool {
    guard hasMoves else { return false }
    let moving = try entries.filter { try Moves.holdBack($0, db) }
    for entry in moving where entry.name != nil {
      if try Moves.note(heldBack: entry, db) { waits += 1 }
    }
    return !moving.isEmpty
  }

  private func mayChange(_ zone: ZoneRow, _ entry: OutboxEntry) throws -> Bool {
    if entry.kind == .deleteZone {
      guard try !waitingZones.contains(zone.key) && !hasExcludedEntries(zone) else { return false }
      guard try !hasRecordEntries(zone) else { return false }
    }
    if entry.kind == .emptyTrash {
      // The revision to erase through is known only after the outcomes of the earlier deletions.
      let deletions = try db.number(
        "SELECT EXISTS (SELECT 1 FROM outbox WHERE zone = ? AND deletion = 1 AND id < ?)",
        [zone.key, entry.id])
      guard deletions == 0 else { return false }
    }
    let underWay = try db.number(
      "SELECT count(*) FROM outbox WHERE zone = ? AND name IS NULL AND number IS NOT NULL",
      [zone.key])
    return underWay == 0
  }

  /// Whether the zone has entries that this pass does not examine.
  private func hasExcludedEntries(_ zone: ZoneRow) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM outbox WHERE zone = ? AND number IS NULL
        AND (held = 1 OR moving = 1 OR awaited IS NOT NULL))
      """, [zone.key]) > 0
  }

  /// Whether records of the zone are still leaving it. Of a zone that is not shown any more, nothing else is unsent.
  private func hasRecordEntries(_ zone: ZoneRow) throws -> Bool {
    let isUnsent = zone.state == .deleting ? "AND number IS NULL" : ""
    return try db.number(
      "SELECT EXISTS (SELECT 1 FROM outbox WHERE zone = ? AND name IS NOT NULL \(isUnsent))",
      [zone.key]) > 0
  }

  private func operation(
    _ entry: OutboxEntry, _ row: RecordRow?, _ zone: ZoneRow
  ) throws -> Records.Operation? {
    switch entry.kind {
    case .record, .bundled: row?.layers.operation(encodedShown: row?.encodedShown)
    case .saveZone:
      .saveZone(
        title: entry.title ?? "", former: entry.edits == 0 ? zone.titleRevision : nil)
    case .deleteZone:
      // NB: a person's own deletion has a position only. States that another device is about to save again are not read,
      // although later ones of the same history may be.
      .deleteZone(
        ifUnchangedSince: try ZoneDeletionTable.token(of: zone, db),
        former: entry.edits == 0 ? try ZoneDeletionTable.versions(of: zone, db) : VersionVector())
    case .restoreZone: .restoreZone
    case .emptyTrash: .emptyTrash(through: try DeletedGroups.erasedThrough(of: zone, db))
    }
  }

  private mutating func zone(_ key: Int64) throws -> ZoneRow? {
    if let known = zones[key] { return known }
    zones[key] = try ZoneRow.load(db, key: key)
    return zones[key]
  }

  /// Stores the request and marks its entries and records as in flight.
  private mutating func store() throws -> (request: ModifyRequest, byteCount: Int) {
    let request = ModifyRequest(
      number: machine.nextNumber, acknowledged: machine.acknowledged, groups: batch.groups)
    let encoded = request.encoded
    try db.run("INSERT INTO request VALUES (?, ?)", [request.number.value, Data(encoded)])
    try db.run("UPDATE identity SET last_number = ?", [request.number.value])
    for var member in frozen {
      try leave(zoneOf: member.entry)
      try member.entry.freeze(in: request.number, transaction)
      guard member.entry.operationIndex != nil else { continue }
      try member.row?.freeze(in: request.number, of: transaction)
    }
    return (request, encoded.count)
  }

  /// Removes a zone whose records have all moved elsewhere, as its deletion is sent.
  private mutating func leave(zoneOf entry: OutboxEntry) throws {
    guard entry.kind == .deleteZone, var zone = try ZoneRow.load(db, key: entry.zone),
      zone.state != .deleting
    else { return }
    try GroupDeletion.leave(&zone, transaction)
  }
}

extension Value {
  fileprivate var isReference: Bool {
    if case .reference = self { true } else { false }
  }
}
