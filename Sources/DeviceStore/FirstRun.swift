// A new account begins with the application's first records, once (A1). A new device writes them, with a marker
// that is never deleted, in the transaction that creates its identity, and sends them as one atomic group of
// records that must not exist. If the account has the marker already, the broker rejects the group. Rows that
// no person changed then stay as they are until the feed has the account's records of these names (usually
// the same, so that nothing changes for a person), or ends without them. What a person changed meanwhile stays
// as an edit of the account's own record.

import Foundation
import GRDB
import Records
import SyncCore

enum FirstRun {
  /// Writes the records and the marker into a new device's standard zone.
  static func begin(zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    guard let first = transaction.rules.firstRecords else { return }
    // The marker goes first, so that it is the one the broker refuses where the account has it.
    let marker = FirstRecords.Record(
      name: first.marker, type: FirstRecords.markerType, fields: Fields())
    var action = try add(marker, edits: 0, action: nil, zone, transaction)
    for record in first.records {
      action = try add(record, edits: 1, action: action, zone, transaction)
    }
    transaction.ledger.made += first.records.count
  }

  private static func add(
    _ record: FirstRecords.Record, edits: Int, action: Int64?, _ zone: ZoneRow,
    _ transaction: DeviceTransaction
  ) throws -> Int64? {
    var row = RecordRow(
      newIn: zone.key, name: record.name, type: record.type, now: transaction.now)
    row.layers.shown = record.fields
    row.layers.bundled = record.fields
    try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
    var entry = OutboxEntry(
      record: record.name, zone: zone.key, kind: .bundled, isAsked: true, isDeletion: false,
      edits: edits)
    try entry.store(transaction)
    entry.action = action ?? entry.id
    try entry.store(transaction)
    return entry.action
  }

  /// The broker rejected the import: the account had its first records already.
  static func drop(
    _ transaction: DeviceTransaction, results: [OperationResult], entries: [OutboxEntry],
    isLevel: Bool
  ) throws {
    for entry in entries {
      var server: Change?
      if let index = entry.operationIndex, index < results.count,
        case .failed(_, let found) = results[index]
      {
        server = found
      }
      try drop(entry, server: server, isLevel: isLevel, transaction)
    }
  }

  /// The feed delivered the account's marker before the import was sent.
  static func dropUnsent(
    _ transaction: DeviceTransaction, zone: ZoneRow, isLevel: Bool
  ) throws {
    let entries = try OutboxEntry.load(
      transaction.db, where: "zone = ? AND kind = ? AND number IS NULL ORDER BY id",
      [zone.key, OutboxEntry.Kind.bundled.rawValue])
    for entry in entries { try drop(entry, server: nil, isLevel: isLevel, transaction) }
  }

  private static func drop(
    _ entry: OutboxEntry, server: Change?, isLevel: Bool, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    guard let zone = try ZoneRow.load(db, key: entry.zone), let name = entry.name else {
      transaction.ledger.merged += entry.edits
      return try entry.remove(transaction)
    }
    guard var row = try RecordRow.load(db, zone: entry.zone, name: name) else {
      // This device and another one deleted the record, so there is nothing to store.
      transaction.ledger.merged += entry.edits
      try PastTable(transaction).deletedBefore(name, in: zone, known: nil)
      return try entry.remove(transaction)
    }
    var entry = entry
    try entry.returnToOutbox(transaction)
    entry.kind = .record
    entry.action = nil
    try entry.store(transaction)
    // The feed delivers a record that cannot be read here again, and reports the error.
    let held = row.layers.held
    let state = server.flatMap { try? BrokerState($0) } ?? held
    let before = row.layers
    let conflicts = row.layers.gaveWay(to: state)
    try Relocations(transaction).follow(&row, from: before, in: zone)
    var author = transaction.author(of: row.layers, held: held)
    if isLevel, try hasReadImport(transaction, zone), row.layers.endWaiting(zone.token) {
      author = .unknown
    }
    try row.store(in: transaction, zone: zone, by: author)
    try EntryResolution(transaction, zone: zone).settle(row.layers, conflicts: conflicts)
    try Relocations(transaction).arrived(row, in: zone)
  }

  /// Selects those of `count` first records of a zone that wait for the account's state.
  ///
  /// NB: without the plus, SQLite reads the whole zone, whose index has the ids in order.
  static func waitingRecords(_ count: Int) -> String {
    """
    SELECT * FROM record WHERE zone = ? AND tag = 0
      AND name IN (\(ReplicaAssetTable.places(count))) ORDER BY +id
    """
  }

  /// The feed is at its end: an unchanged record of a rejected import that the account does not have is removed.
  /// It may have been deleted there before it was sent.
  static func endWaiting(_ transaction: DeviceTransaction, zone: ZoneRow) throws {
    let db = transaction.db
    guard let first = transaction.rules.firstRecords,
      try RecordRow.load(db, zone: zone.key, name: first.marker)?.layers.ancestor.tag != nil,
      try hasReadImport(transaction, zone)
    else { return }
    let names = first.records.map(\.name.text)
    let rows = try RecordRow.load(
      db, sql: waitingRecords(names.count), [zone.key] + StatementArguments(names))
    for var row in rows {
      _ = row.layers.endWaiting(zone.token)
      try row.store(in: transaction, zone: zone, by: .unknown)
      try EntryResolution(transaction, zone: zone).settle(row.layers, conflicts: [])
    }
  }

  /// A person restores a record of a rejected import as it was. If the feed is at its end, the account does not
  /// have the record: it is new, and is sent.
  static func bringBack(
    _ row: inout RecordRow, in zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws {
    guard row.layers.ancestor.tag == .zero, row.layers.inFlight == nil,
      row.layers.shown == row.layers.ancestor.fields, try hasReadImport(transaction, zone)
    else { return }
    row.layers.ancestor = BrokerState(tag: zone.token?.revision, fields: nil)
  }

  /// Whether the device has read all records of the account's import. Then its position in the feed is past the marker,
  /// because the import is one commit, and past the end of a resync, which deletes the records that it did not find.
  private static func hasReadImport(
    _ transaction: DeviceTransaction, _ zone: ZoneRow
  ) throws -> Bool {
    guard let token = zone.token else { return false }
    let imported = try transaction.rules.firstRecords.flatMap { first in
      try RecordRow.load(transaction.db, zone: zone.key, name: first.marker)?.layers.ancestor.tag
    }
    return token.revision >= max(token.scanStart, imported ?? .zero)
  }
}

extension RecordLayers {
  /// Removes a first record that the account does not have. An edited record remains, and the broker decides. Returns
  /// whether the record was removed.
  fileprivate mutating func endWaiting(_ token: ChangeToken?) -> Bool {
    guard ancestor.tag == .zero, isClean else { return false }
    _ = fed(BrokerState(tag: token?.revision, fields: nil), own: nil)
    return true
  }

  /// Handles a first record that the account already had. The fields written here take the place of the ancestor, and
  /// the broker's state is merged if it is known.
  fileprivate mutating func gaveWay(to state: BrokerState?) -> [ConflictRecord] {
    inFlight = nil
    held = nil
    if let state {
      guard case .merged(let conflicts) = fed(state, own: nil) else { return [] }
      return conflicts
    }
    guard let written = bundled else { return [] }
    bundled = nil
    guard type != FirstRecords.markerType, ancestor.tag == nil else {
      if shown == written { shown = ancestor.fields }
      return []
    }
    // No record has tag 0, so any state of the broker is newer, and the broker answers an edit of it with a conflict.
    ancestor = BrokerState(tag: .zero, fields: written)
    return []
  }
}
