// Recreates a group of this account that the broker lost: it was created after the backup from which the broker was
// restored, or the broker started with an empty database. The group is created again under its own id, and all
// records shown here are sent. If another device of the account does the same, it sends the same content. The
// participants and the link of the share are lost, because only the broker had them. A group whose deletion the
// directory no longer lists cannot be distinguished from a lost one; the broker rejects its creation.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// Enqueues the creation of a lost group and of its records.
enum ZoneRecreation {
  /// Enqueues the creation of the zone, followed by all its records.
  /// - Returns: the number of records that will be sent.
  static func recreate(_ zone: ZoneRow, _ transaction: DeviceTransaction) throws -> Int {
    // The broker does not have a zone whose creation or deletion is pending.
    guard zone.state == .present else { return 0 }
    let former = zone
    let zone = try begin(zone, transaction)
    try enqueueCreation(of: zone, transaction)
    return try forgetAncestors(in: zone, former, transaction)
  }

  /// Resets what the broker knew of the zone.
  private static func begin(_ former: ZoneRow, _ transaction: DeviceTransaction) throws -> ZoneRow {
    let db = transaction.db
    try PastTable(transaction).forgetDeletions(in: former)
    if former.isRewound { try DeletedRecordTable(db: db).forgetAll(in: former) }
    var zone = former
    zone.state = .creating
    zone.knownTitle = nil
    zone.token = nil
    zone.incarnation = nil
    zone.listedIncarnation = nil
    zone.readBefore = nil
    zone.lineage = Lineage()
    zone.lineageBefore = Lineage()
    zone.sweep = .none
    zone.erasedThrough = .zero
    zone.isShared = false
    zone.membersRevision = .zero
    zone.restorations = 0
    zone.isRewound = false
    try zone.store(db)
    _ = try PeopleTable.keep([AccessRequest](), for: zone, db)
    _ = try PeopleTable.keep([ZoneMember](), in: zone, db)
    try db.run("DELETE FROM share_link WHERE zone = ?", [zone.key])
    return zone
  }

  /// Enqueues the creation before the zone's other unsent edits. The broker rejects the edits that are in flight, and
  /// they are enqueued after the creation as well (see `OutcomeApplication`).
  private static func enqueueCreation(
    of zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws {
    let waiting = try OutboxEntry.load(
      transaction.db, where: "zone = ? AND number IS NULL ORDER BY id", [zone.key])
    var creation = OutboxEntry(zone: zone.key, kind: .saveZone, title: zone.title)
    creation.isAsked = false
    creation.edits = waiting.filter { $0.kind == .saveZone }.reduce(0) { $0 + $1.edits }
    try creation.store(transaction)
    for var entry in waiting {
      if entry.kind == .saveZone {
        try entry.remove(transaction)
      } else {
        try entry.enterLast(transaction)
      }
    }
  }

  private static func forgetAncestors(
    in zone: ZoneRow, _ former: ZoneRow, _ transaction: DeviceTransaction
  ) throws -> Int {
    let resolution = EntryResolution(transaction, zone: zone)
    var count = 0
    let rows = try RecordRow.load(
      transaction.db, sql: "SELECT * FROM record WHERE zone = ? ORDER BY id", [zone.key])
    for var row in rows {
      var conflicts = row.beginHistory(containing: former.versions(of: row))
      if former.isDeletion(ofMissing: row) { conflicts += row.layers.rewound() }
      row.isSeen = true
      // The device that made the held change sends it again.
      row.layers.held = nil
      if row.layers.shown != nil { count += 1 }
      try row.store(in: transaction, zone: zone, by: former.isRewound ? .rewind : .unknown)
      try resolution.settle(row.layers, conflicts: conflicts)
    }
    return count
  }
}

extension ZoneRow {
  /// What the confirmed state of a record contains.
  fileprivate func versions(of row: RecordRow) -> VersionVector {
    guard !isUnreadInNewHistory(row), let history else {
      return versions(before: row.layers.ancestor)
    }
    return history.versions(of: row.layers.ancestor)
  }
}
