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
  /// The lost state before, or the confirmed one of a history that has just ended.
  let lostBefore: LostState?
  /// The author of the change; `.unknown` if the device only found that the record is missing.
  let author: Author
}

extension RecordTurn {
  /// A confirmed state, and its place in the record's history; `nil` if there is none.
  typealias Confirmed = (state: BrokerState, revision: Revision?)

  /// The last confirmed state before the change.
  fileprivate var confirmedBefore: Confirmed { confirmed(ancestorBefore, lostBefore) }

  /// The last confirmed state after it.
  fileprivate var confirmed: Confirmed { confirmed(layers.ancestor, layers.lost) }

  /// Whether the lost state was merged with the broker's. It is part of the next state then, and no step of its own.
  fileprivate var isMerge: Bool {
    lostBefore?.isMerged == false && layers.lost?.isMerged == true
  }

  private func confirmed(_ ancestor: BrokerState, _ lost: LostState?) -> Confirmed {
    if let lost, !lost.isMerged {
      return (lost.state, lost.versions.newest)
    }
    guard let tag = ancestor.tag, tag > .zero else { return (ancestor, nil) }
    return (ancestor, ancestor.former.revisionInHistory(tag: tag))
  }
}

extension FormerVersion? {
  /// The place of a state with a tag in its record's history. A state of a former history that was saved again has the
  /// place that it had.
  func revisionInHistory(tag: Revision) -> Revision {
    guard let former = self, former.isExact else { return tag }
    return former.versions.newest
  }
}

/// The `past` and `trash` tables.
struct PastTable {
  let transaction: DeviceTransaction

  init(_ transaction: DeviceTransaction) {
    self.transaction = transaction
  }

  var db: Database { transaction.db }

  /// Stores the states that a change replaces or deletes.
  func note(_ turn: RecordTurn) throws {
    let layers = turn.layers
    guard !turn.zone.zone.isPublic else { return }
    try noteDeletion(turn)
    guard layers.type != FirstRecords.markerType, layers.type != ConflictRecord.recordType else {
      return
    }
    let before = turn.confirmedBefore
    let confirmed = turn.confirmed
    let isNewState = confirmed.revision != before.revision
    if isNewState, !turn.isMerge, let revision = before.revision {
      try keep(before.state, at: revision, turn)
    }
    if turn.shownBefore == nil, layers.shown != nil {
      try forgetTrash(layers.name, turn.zone)
    } else if let content = turn.shownBefore, layers.shown == nil {
      // The record was found missing or is no longer readable, so there is no deletion to restore from.
      guard turn.author != .unknown else { return try erase(layers.name, in: turn.zone) }
      try discard(content, turn)
    }
    // The broker was rewound, and has no tombstone.
    guard turn.author != .rewind else { return }
    if isNewState, confirmed.state.fields == nil, let tag = confirmed.revision {
      try keep(confirmed.state, at: tag, turn)
      if confirmed.state.move != nil { try noteMove(layers.name, in: turn.zone) }
      guard turn.author != .unknown else {
        guard try transaction.mayHaveTrash() else { return }
        // NB: the tag that was just stored is that of the start of the reading, not of the deletion.
        let least = (before.revision ?? .zero).next
        return try noteTombstone(least, of: layers.name, in: turn.zone)
      }
      try noteTombstone(tag, of: layers.name, in: turn.zone)
    }
  }

  /// Stores the deletion, so that it can be repeated if the broker loses it.
  private func noteDeletion(_ turn: RecordTurn) throws {
    let ancestor = turn.layers.ancestor
    guard ancestor.fields == nil, let tag = ancestor.tag, tag != turn.ancestorBefore.tag,
      turn.layers.shown == nil
    else { return }
    try DeletedRecordTable(db: db).note(
      turn.layers.name, in: turn.zone, ancestor, at: transaction.now)
  }

  /// What a lost state is compared by; `nil` if there is none.
  func context(
    of layers: RecordLayers, in zone: ZoneRow, beside state: BrokerState
  ) throws -> LostContext? {
    guard let lost = layers.lost, let history = zone.history else { return nil }
    return LostContext(
      history, base: try base(of: lost, layers.name, in: zone, beside: state),
      isRewound: zone.isRewound)
  }

  /// The newest stored version of a record that both the lost state and the broker's present one contain, as far as this
  /// device has it.
  func base(
    of lost: LostState, _ name: RecordName, in zone: ZoneRow, beside state: BrokerState
  ) throws -> Fields? {
    guard let newest = lost.versions.entries.max(by: { $0.revision < $1.revision }),
      let history = zone.history
    else { return nil }
    let incarnation = newest.incarnation
    var common = state.former?.versions[incarnation] ?? history.lineage.versions[incarnation]
    if let former = state.former, former.isExact {
      // It need not contain what the lineage does.
      common =
        lost.versions.entries.compactMap { entry in
          former.versions[entry.incarnation].map { min($0, entry.revision) }
        }.max()
    }
    guard let common else { return nil }
    let revision = min(common, newest.revision)
    let row = try db.row(
      """
      SELECT fields FROM past WHERE zone = ? AND name = ? AND tag <= ? AND fields IS NOT NULL
      ORDER BY tag DESC LIMIT 1
      """, [zone.key, name.text, revision.value])
    return try row.flatMap { try Fields.read($0[0]) }
  }

  /// Handles a tombstone of a record without a row: this device had deleted it as well, and the broker had only
  /// answered that it did not exist.
  func passed(_ tombstone: Change, in zone: ZoneRow) throws {
    try DeletedRecordTable(db: db).note(
      tombstone.name, in: zone, BrokerState(tombstone, fields: nil), at: transaction.now)
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

  /// Forgets the tags of deletions that the broker has lost with the zone; it has none of these records.
  func forgetDeletions(in zone: ZoneRow) throws {
    try db.run("UPDATE trash SET tag = NULL WHERE zone = ?", [zone.key])
    try db.run(
      """
      UPDATE action_edit SET tombstone = NULL
      WHERE tombstone IS NOT NULL AND owner = ? AND zone_name = ?
      """, [zone.zone.owner.column, zone.zone.name.column])
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

  private func keep(_ state: BrokerState, at revision: Revision, _ turn: RecordTurn) throws {
    let name = turn.layers.name.text
    try db.run(
      "INSERT OR REPLACE INTO past VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        turn.zone.key, name, revision.value,
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
    let tombstone = turn.author == .rewind ? nil : try tombstone(of: layers, in: turn.zone)
    if let tombstone, tombstone <= turn.zone.erasedThrough { return }
    try discard(
      Discarded(name: layers.name, type: layers.type, fields: content), in: turn.zone,
      tombstone: tombstone, by: turn.author, hasLeft: layers.departure != nil)
  }

  /// A record for the trash.
  struct Discarded {
    let name: RecordName
    let type: RecordType
    let fields: Fields
  }

  /// Puts a record into the trash.
  /// - Parameter hasLeft: whether it left its zone by a move. Then it is listed only while no other zone shows it.
  func discard(
    _ record: Discarded, in zone: ZoneRow, tombstone: Revision? = nil, by author: Author = .unknown,
    hasLeft: Bool = true
  ) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO trash (zone, name, type, title, fields, tag, account, device, time,
        public_id, moved)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        zone.key, record.name.text, record.type.text,
        transaction.rules.title(record.name, type: record.type, fields: record.fields),
        record.fields.column,
        tombstone?.value, author.account?.column, author.device?.column,
        transaction.now.microseconds,
        PublicIDTable.column(of: RecordID(zone: zone.zone, name: record.name)), hasLeft,
      ])
    transaction.hasTrash = true
  }

  private func tombstone(of layers: RecordLayers, in zone: ZoneRow) throws -> Revision? {
    guard let tag = layers.ancestor.tag else {
      return try lastDeletion(of: layers.name, in: zone) ?? loggedDeletion(of: layers, in: zone)
    }
    return layers.ancestor.fields == nil ? tag : nil
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

  /// The lowest tag that a record's last deletion can have, as the log of actions says; `nil` if the log has no deletion of it,
  /// or the broker did not have it. The versions of a group's records are erased when the group is deleted. If the broker
  /// rejects that, an undo may create a record again that another device has deleted meanwhile.
  private func loggedDeletion(of layers: RecordLayers, in zone: ZoneRow) throws -> Revision? {
    // The broker does not have a lost record, so it has no tombstone of it either.
    guard layers.lost == nil else { return nil }
    let tag = try db.number(
      """
      SELECT coalesce(max(tombstone), 0) FROM action_edit
      WHERE tombstone IS NOT NULL AND name = ? AND owner = ? AND zone_name = ?
      """, [layers.name.text, zone.zone.owner.column, zone.zone.name.column])
    return tag > 0 ? Revision(Int64(tag)) : nil
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

  /// The lowest tag that the record's tombstone can have; `nil` if the broker never had the record.
  var leastTombstone: Revision? {
    guard let tag, tag > .zero else { return nil }
    let revision = former.revisionInHistory(tag: tag)
    return fields == nil ? revision : revision.next
  }
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
