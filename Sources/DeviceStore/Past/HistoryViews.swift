// Reads a record's history, the trash, and the actions that can be undone. Each method is one read transaction on
// this device's store. Older data is first fetched from the broker (`Replica.ask`) and stored here.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// One state of a record.
package struct HistoryState: Hashable, Sendable {
  /// The broker's revision; `nil` for an edit that was not sent.
  package let tag: Revision?
  /// The fields; `nil` where the record was deleted.
  package let fields: Fields?
  /// The time of the change: the broker's time if known, otherwise this device's.
  package let time: Timestamp
  /// The account that made the change; `nil` for this account before its id is known.
  package let account: AccountID?
  /// The device that made the change; `nil` for this device before its id is known.
  package let device: DeviceID?
  /// Whether this state is the record's creation.
  package let isMaking: Bool
}

/// A record's states, oldest first.
package struct HistoryView: Hashable, Sendable {
  /// The record.
  package let id: RecordID
  /// Its type.
  package let type: RecordType
  /// Its title, or its last one.
  package let title: String
  /// Its states, oldest first. The first one need not be the record's creation.
  package let states: [HistoryState]
}

/// A position in the trash, for reading the next page.
package struct TrashPlace: Hashable, Sendable {
  /// When the record there was deleted.
  package let time: Timestamp
  /// Distinguishes records that were deleted at the same time.
  package let number: Int64

  package init(time: Timestamp, number: Int64) {
    self.time = time
    self.number = number
  }
}

/// A deleted record that can be restored.
package struct DiscardedView: Hashable, Sendable {
  /// Its position in the trash.
  package let place: TrashPlace
  /// The record.
  package let id: RecordID
  /// Its type.
  package let type: RecordType
  /// Its title.
  package let title: String
  /// The fields it last showed.
  package let fields: Fields
  /// When it was deleted, as far as this device knows.
  package let time: Timestamp
  /// The account that deleted it; `nil` for this account before its id is known.
  package let account: AccountID?
  /// The device that deleted it; `nil` for this device before its id is known.
  package let device: DeviceID?
  /// Whether the broker knows of the deletion.
  package let isSynced: Bool
}

extension DeviceReader {
  /// Returns the known states of a record, including the present one.
  /// - Parameter zone: the record's zone; `nil` for any zone that shows a record of this name, or last showed one.
  /// - Throws: `unknownItem` if this device has no record of this name and no history of one.
  package func history(of name: RecordName, in zone: ZoneID? = nil) throws -> HistoryView {
    try database.read { db in
      let asked = try zone.map { try ZoneRow.load(db, $0)?.key ?? -1 }
      let zones = try db.rows(
        """
        SELECT zone FROM (
          SELECT zone, 0 AS place FROM record WHERE name = ?1 AND shown IS NOT NULL
            AND \(Self.isOfGroup("zone"))
          UNION ALL SELECT zone, 1 FROM trash WHERE name = ?1
          UNION ALL SELECT zone, 2 FROM past WHERE zone IN (SELECT id FROM zone) AND name = ?1)
        WHERE ?2 IS NULL OR zone = ?2 ORDER BY place, zone LIMIT 1
        """, [name.text, asked])
      guard let key = zones.first?["zone"] as Int64?, let zone = try ZoneRow.load(db, key: key)
      else { throw RecordsError.noRecord(name) }
      return try history(of: name, in: zone, db)
    }
  }

  private func history(
    of name: RecordName, in zone: ZoneRow, _ db: Database
  ) throws -> HistoryView {
    var states: [HistoryState] = []
    for former in try Self.formerZones(of: name, in: zone, db) {
      // The move out of the former zone is not a deletion; the history continues below.
      states += try past(of: name, in: former, db).states.filter { $0.fields != nil }
    }
    let own = try past(of: name, in: zone.key, db)
    var type = own.type
    let last = own.states.last?.tag
    states += own.states
    if let record = try RecordRow.load(db, zone: zone.key, name: name) {
      type = record.layers.type
      states += try Self.present(record, after: last, db)
    }
    let content = states.last { $0.fields != nil }?.fields
    let title = content.map { rules.title(name, type: type, fields: $0) }
    return HistoryView(
      id: RecordID(zone: zone.zone, name: name), type: type, title: title ?? "", states: states)
  }

  /// The stored earlier states of a record in one group, oldest first.
  private func past(
    of name: RecordName, in zone: Int64, _ db: Database
  ) throws -> (type: RecordType, states: [HistoryState]) {
    var states: [HistoryState] = []
    var type = rules.mainType
    for row in try db.rows(
      "SELECT * FROM past WHERE zone = ? AND name = ? ORDER BY tag", [zone, name.text])
    {
      type = RecordType(stored: row["type"])
      states.append(
        try Self.state(
          tag: Revision(row["tag"]), Fields.read(row["fields"]), Stamp.read(row["stamp"]),
          orAt: Timestamp(microseconds: row["superseded"]), isMaking: row["making"], db))
    }
    return (type, states)
  }

  /// The groups that contained the record before, in the order of its moves.
  private static func formerZones(
    of name: RecordName, in zone: ZoneRow, _ db: Database
  ) throws -> [Int64] {
    guard let shown = try RecordRow.load(db, zone: zone.key, name: name)?.layers.shown else {
      return []
    }
    let departures = try MovedAway.departures(of: name, db).filter { $0.zone != zone.key }
    return MoveTrail(shown).ids.flatMap { move in
      departures.filter { $0.move == move }.map(\.zone)
    }
  }

  /// The record's ids before its moves, as far as this device knows, in order.
  package func formerPlaces(of record: RecordID) throws -> [RecordID] {
    try database.read { db in
      guard let zone = try ZoneRow.load(db, record.zone) else { return [] }
      return try Self.formerZones(of: record.name, in: zone, db).compactMap { key in
        try ZoneRow.load(db, key: key).map { RecordID(zone: $0.zone, name: record.name) }
      }
    }
  }

  /// The broker's present state, and the edit that was not sent.
  private static func present(
    _ record: RecordRow, after last: Revision?, _ db: Database
  ) throws -> [HistoryState] {
    var states: [HistoryState] = []
    let lost = record.layers.lost.flatMap { $0.isMerged ? nil : $0 }
    let ancestor = lost?.state ?? record.layers.ancestor
    let revision =
      lost.map { $0.versions.newest }
      ?? ancestor.tag.map { ancestor.former.revisionInHistory(tag: $0) }
    if let revision, ancestor.tag.map({ $0 > .zero }) ?? (lost != nil),
      last.map({ revision > $0 }) ?? true
    {
      states.append(
        try state(
          tag: revision, ancestor.fields, ancestor.modified, orAt: record.localModified,
          isMaking: ancestor.isMaking, db))
    }
    if record.layers.shown != ancestor.fields {
      states.append(
        try state(
          tag: nil, record.layers.shown, nil, orAt: record.localModified,
          isMaking: ancestor.fields == nil, db))
    }
    return states
  }

  private static func state(
    tag: Revision?, _ fields: Fields?, _ stamp: Stamp?, orAt time: Timestamp, isMaking: Bool,
    _ db: Database
  ) throws -> HistoryState {
    if let stamp {
      return HistoryState(
        tag: tag, fields: fields, time: stamp.time, account: stamp.origin.account,
        device: stamp.origin.device, isMaking: isMaking)
    }
    let own = try db.row("SELECT account, device FROM identity")
    return HistoryState(
      tag: tag, fields: fields, time: time, account: AccountID(column: own?["account"]),
      device: DeviceID(column: own?["device"]), isMaking: isMaking)
  }

  // MARK: Trash

  static let trashSelection = """
    SELECT trash.*, zone.owner AS zone_owner, zone.name AS zone_name
    FROM trash JOIN zone ON zone.id = trash.zone AND \(PastSchema.isDiscarded)
    """

  static func discarded(_ row: Row) throws -> DiscardedView {
    guard let zone = zone(owner: row["zone_owner"], name: row["zone_name"]) else {
      throw StoreError(.damaged, "A zone's row is damaged.")
    }
    let time = Timestamp(microseconds: row["time"])
    return DiscardedView(
      place: TrashPlace(time: time, number: row["id"]),
      id: RecordID(zone: zone, name: RecordName(stored: row["name"])),
      type: RecordType(stored: row["type"]), title: row["title"],
      fields: try Fields.read(row["fields"]) ?? Fields(),
      time: time, account: AccountID(column: row["account"]),
      device: DeviceID(column: row["device"]), isSynced: row["tag"] as Int64? != nil)
  }

  /// Returns the deleted records that can be restored, latest deletion first.
  /// - Parameters:
  ///   - place: the position before which to read; `nil` for the newest.
  ///   - limit: the maximum number of records, 1 to 1000.
  package func trash(before place: TrashPlace?, limit: Int) throws -> [DiscardedView] {
    try database.read { db in
      try db.rows(
        """
        \(Self.trashSelection) WHERE (trash.time, trash.id) < (?, ?)
        ORDER BY trash.time DESC, trash.id DESC LIMIT ?
        """,
        [
          place?.time.microseconds ?? .max, place?.number ?? .max,
          min(max(limit, 1), DeviceLimits.rowsPerList),
        ]
      ).map(Self.discarded)
    }
  }

  /// Whether this device can restore a record of this name, in `zone` or in any zone.
  package func hasTrash(_ name: RecordName, in zone: ZoneID? = nil) throws -> Bool {
    try database.read { db in
      let asked = try zone.map { try ZoneRow.load(db, $0)?.key ?? -1 }
      return try db.number(
        """
        SELECT EXISTS (SELECT 1 FROM trash WHERE name = ?1 AND (?2 IS NULL OR zone = ?2)
          AND \(PastSchema.isDiscarded))
        """, [name.text, asked]) > 0
    }
  }

  // MARK: Actions

  /// Returns the actions of this device, latest first, at most `limit`.
  package func actions(limit: Int) throws -> [ActionView] {
    try database.read { db in
      try db.rows("SELECT * FROM action ORDER BY id DESC LIMIT ?", [limit]).map { ActionView($0) }
    }
  }

  /// Returns the number of the latest action of this device; `nil` if there is none.
  package func lastAction() throws -> Int64? {
    try database.read { try $0.row("SELECT id FROM action ORDER BY id DESC LIMIT 1")?["id"] }
  }
}
