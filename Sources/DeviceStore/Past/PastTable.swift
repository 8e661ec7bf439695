// Stores earlier versions and deleted records. `RecordRow.store`, through which every change of a record goes, calls
// it with the replaced state of the broker and the content of a deleted record, so no version is missed. For a record
// without an earlier state, as in a first reading, it writes nothing.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// A change of a record, with the states before and after it.
struct RecordTurn {
  let zone: ZoneRow
  /// The states after the change.
  let layers: RecordLayers
  /// The fields that were shown before.
  let shownBefore: Fields?
  /// The broker's state that was known before.
  let ancestorBefore: BrokerState
  /// The author of the change; `.unknown` if the device only found that the record is missing.
  let author: Author
}

/// The `past` and `trash` tables.
struct PastTable {
  let transaction: DeviceTransaction

  /// A number that no revision of a zone reaches.
  private static let historySpan: Int64 = 1 << 48

  init(_ transaction: DeviceTransaction) {
    self.transaction = transaction
  }

  var db: Database { transaction.db }

  /// Stores the states that a change replaces or deletes.
  func note(_ turn: RecordTurn) throws {
    let layers = turn.layers
    guard !turn.zone.zone.isPublic else { return }
    guard layers.type != FirstRecords.markerType, layers.type != Conflict.recordType else { return }
    let isNewState = layers.ancestor.tag != turn.ancestorBefore.tag
    if isNewState, let tag = turn.ancestorBefore.tag, tag > .zero {
      try keep(turn.ancestorBefore, tag: tag, turn)
    }
    if turn.shownBefore == nil, layers.shown != nil {
      try forgetTrash(layers.name, turn.zone)
    } else if let content = turn.shownBefore, layers.shown == nil {
      // The record was found missing or is no longer readable, so there is no deletion to restore from.
      guard turn.author != .unknown else { return try erase(layers.name, in: turn.zone) }
      try discard(content, turn)
    }
    if isNewState, layers.ancestor.fields == nil, let tag = layers.ancestor.tag, tag > .zero {
      try keep(layers.ancestor, tag: tag, turn)
      if layers.ancestor.move != nil { try noteMove(layers.name, in: turn.zone) }
      guard turn.author != .unknown else {
        guard try transaction.mayHaveTrash() else { return }
        // NB: the tag that was just stored is that of the start of the reading, not of the deletion.
        let least = (turn.ancestorBefore.tag ?? .zero).next
        return try noteTombstone(least, of: layers.name, in: turn.zone)
      }
      try noteTombstone(tag, of: layers.name, in: turn.zone)
    }
  }

  /// Handles a tombstone of a record without a row: this device had deleted it as well, and the broker had only
  /// answered that it did not exist.
  func passed(_ tombstone: Change, in zone: ZoneRow) throws {
    guard try transaction.mayHaveTrash() else { return }
    if tombstone.move != nil { try noteMove(tombstone.name, in: zone) }
    try noteTombstone(tombstone.tag, of: tombstone.name, in: zone)
  }

  /// Handles the broker's answer that a record deleted here did not exist: another device had deleted it, at a tag that
  /// is not known. That tag is higher than the `known` one and at least the last stored one. So the lowest possible tag
  /// is stored, and erasing the trash through that tag erases the record too. Versions that the broker still has can be
  /// fetched from it.
  func deletedBefore(_ name: RecordName, in zone: ZoneRow, known tag: Revision?) throws {
    guard try transaction.mayHaveTrash() else { return }
    let kept = try lastDeletion(of: name, in: zone) ?? .zero
    try noteTombstone(max((tag ?? .zero).next, kept), of: name, in: zone)
  }

  /// Moves the tags of the former history before those of the new one, which start again at 1.
  func beginHistory(in zone: ZoneRow) throws {
    try db.run("UPDATE past SET tag = tag - ? WHERE zone = ?", [Self.historySpan, zone.key])
    try db.run("UPDATE trash SET tag = NULL WHERE zone = ?", [zone.key])
  }

  // MARK: States

  /// Returns the earlier version that `fields` were most likely edited from: the one that differs least, or the newest
  /// of several. A device that was offline edited the version that it had read last; later changes are not its own.
  func likelyBase(of fields: Fields, _ name: RecordName, in zone: ZoneRow) throws -> Fields? {
    let rows = try db.rows(
      """
      SELECT fields FROM past WHERE zone = ? AND name = ? AND fields IS NOT NULL
      ORDER BY tag DESC LIMIT \(Limits.earlierVersionsPerAuthor)
      """, [zone.key, name.text])
    let states = try rows.compactMap { try Fields.read($0["fields"]) }
    return states.min { $0.distance(to: fields) < $1.distance(to: fields) }
  }

  private func keep(_ state: BrokerState, tag: Revision, _ turn: RecordTurn) throws {
    let name = turn.layers.name.text
    // Versions of a history that the broker lost precede those of its present history.
    let isOfOtherHistory = turn.zone.sweep == .restored || turn.layers.ancestor.tag == nil
    try db.run(
      "INSERT OR REPLACE INTO past VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        turn.zone.key, name, isOfOtherHistory ? tag.value - Self.historySpan : tag.value,
        turn.layers.type.text, state.fields?.column,
        state.modified?.column, state.isMaking, transaction.now.microseconds,
      ])
    try expireVersions(by: state.modified?.origin.account, of: name, in: turn.zone)
  }

  /// Deletes the oldest versions of an author that has more than `Limits.earlierVersionsPerAuthor`.
  private func expireVersions(by author: AccountID?, of name: String, in zone: ZoneRow) throws {
    let count = try db.number(
      "SELECT count(*) FROM past WHERE zone = ? AND name = ?", [zone.key, name])
    guard count > Limits.earlierVersionsPerAuthor else { return }
    let rows = try db.rows(
      "SELECT tag, stamp FROM past WHERE zone = ? AND name = ? ORDER BY tag DESC",
      [zone.key, name])
    let own = try rows.filter { try Stamp.read($0["stamp"])?.origin.account == author }
    for row in own.dropFirst(Limits.earlierVersionsPerAuthor) {
      try db.run(
        "DELETE FROM past WHERE zone = ? AND name = ? AND tag = ?",
        [zone.key, name, row["tag"] as Int64])
    }
  }

  // MARK: Trash

  private func discard(_ content: Fields, _ turn: RecordTurn) throws {
    let layers = turn.layers
    let tombstone =
      layers.ancestor.tag == nil
      ? try lastDeletion(of: layers.name, in: turn.zone)
      : layers.ancestor.fields == nil ? layers.ancestor.tag : nil
    if let tombstone, tombstone <= turn.zone.erasedThrough { return }
    try db.run(
      """
      INSERT OR REPLACE INTO trash (zone, name, type, title, fields, tag, account, device, time,
        public_id, moved)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        turn.zone.key, layers.name.text, layers.type.text,
        transaction.rules.title(layers.name, type: layers.type, fields: content), content.column,
        tombstone?.value, turn.author.account?.column, turn.author.device?.column,
        transaction.now.microseconds,
        PublicIDTable.column(of: RecordID(zone: turn.zone.zone, name: layers.name)),
        layers.departure != nil,
      ])
    transaction.hasTrash = true
  }

  /// The tag of the record's last deletion, if the broker has sent no later state. A record that was restored or
  /// created here since, and deleted again before it was sent, belongs to that deletion.
  private func lastDeletion(of name: RecordName, in zone: ZoneRow) throws -> Revision? {
    let last = try db.row(
      "SELECT tag, fields IS NULL FROM past WHERE zone = ? AND name = ? ORDER BY tag DESC LIMIT 1",
      [zone.key, name.text])
    guard let last, last[1], let tag = last[0] as Int64?, tag > 0 else { return nil }
    return Revision(tag)
  }

  private func forgetTrash(_ name: RecordName, _ zone: ZoneRow) throws {
    guard try transaction.mayHaveTrash() else { return }
    try db.run("DELETE FROM trash WHERE zone = ? AND name = ?", [zone.key, name.text])
  }

  /// Notes that the record in the trash left its zone by a move.
  private func noteMove(_ name: RecordName, in zone: ZoneRow) throws {
    guard try transaction.mayHaveTrash() else { return }
    try db.run("UPDATE trash SET moved = 1 WHERE zone = ? AND name = ?", [zone.key, name.text])
  }

  /// Stores the tag of the broker's tombstone, by which emptying the trash erases the record.
  private func noteTombstone(_ tag: Revision, of name: RecordName, in zone: ZoneRow) throws {
    if tag <= zone.erasedThrough { return try erase(name, in: zone, through: zone.erasedThrough) }
    guard try transaction.mayHaveTrash() else { return }
    try db.run(
      "UPDATE trash SET tag = max(coalesce(tag, 0), ?) WHERE zone = ? AND name = ?",
      [tag.value, zone.key, name.text])
  }
}

extension BrokerState {
  /// Whether the state is the record's first one.
  var isMaking: Bool { fields != nil && created != nil && created == modified }
}

extension Fields {
  /// The number of fields, and entries of fields, that differ.
  fileprivate func distance(to other: Fields) -> Int {
    Set(keys + other.keys).reduce(0) { $0 + Self.distance(self[$1], other[$1]) }
  }

  private static func distance(_ one: Value?, _ other: Value?) -> Int {
    guard one != other else { return 0 }
    guard case .entries(let left) = one ?? .entries([]),
      case .entries(let right) = other ?? .entries([])
    else { return 1 }
    return Set(left).symmetricDifference(right).count
  }
}
