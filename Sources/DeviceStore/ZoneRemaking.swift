// A group of this account's whose history the broker lost: it was made after the backup that the broker
// was restored from, or the broker began anew. So it is made again under its own id, and everything that people see of it here is sent; another
// device of the account that does the same sends the same. Who it was shared with, and by which
// link, was the broker's to know, and is lost. One that was deleted so long ago that the directory has
// forgotten it looks the same from here: its making is refused, and the directory says why.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum ZoneRemaking {
  /// Enters the zone's making, and behind it all that it holds. One transaction.
  /// - Returns: how many records will be sent.
  static func remake(_ zone: ZoneRow, _ transaction: DeviceTransaction) throws -> Int {
    // One that is being made or deleted here is no news.
    guard zone.state == .present else { return 0 }
    let zone = try begin(zone, transaction)
    try enterMaking(of: zone, transaction.db)
    return try loseAncestors(in: zone, transaction)
  }

  /// Forgets what the broker knew of the zone. What was read keeps its place in front of whatever the
  /// new history brings.
  private static func begin(_ former: ZoneRow, _ transaction: DeviceTransaction) throws -> ZoneRow {
    let db = transaction.db
    try PastTable(transaction).beginHistory(in: former)
    var zone = former
    zone.state = .creating
    zone.knownTitle = nil
    zone.token = nil
    zone.incarnation = nil
    zone.readBefore = nil
    zone.sweep = .none
    zone.erasedThrough = .zero
    zone.isShared = false
    try zone.store(db)
    _ = try PeopleTable.keep([AccessRequest](), for: zone, db)
    try PeopleTable.keep([ZoneMember](), in: zone, db)
    try db.run("DELETE FROM share_link WHERE zone = ?", [zone.key])
    return zone
  }

  /// The making goes out before anything that is put into the zone, so what waited waits behind it.
  /// What is under way comes back as refused, and behind it as well (see `OutcomeApplication`).
  private static func enterMaking(of zone: ZoneRow, _ db: Database) throws {
    let waiting = try OutboxEntry.load(
      db, where: "zone = ? AND number IS NULL ORDER BY id", [zone.key])
    var making = OutboxEntry(zone: zone.key, kind: .saveZone, title: zone.title)
    making.isAsked = false
    making.edits = waiting.filter { $0.kind == .saveZone }.reduce(0) { $0 + $1.edits }
    try making.store(db)
    for var entry in waiting {
      if entry.kind == .saveZone { try entry.remove(db) } else { try entry.enterLast(db) }
    }
  }

  private static func loseAncestors(
    in zone: ZoneRow, _ transaction: DeviceTransaction
  ) throws -> Int {
    let ending = EntryEnding(transaction, zone: zone)
    var count = 0
    let rows = try RecordRow.load(
      transaction.db, sql: "SELECT * FROM record WHERE zone = ? ORDER BY id", [zone.key])
    for var row in rows {
      row.isSeen = true
      row.layers.ancestor = .unknown
      // What another device changed meanwhile that device sends again.
      row.layers.held = nil
      if row.layers.shown != nil { count += 1 }
      try row.store(in: transaction, zone: zone, by: .unknown)
      try ending.settle(row.layers, conflicts: [])
    }
    return count
  }
}
