// Records that move from one zone to another. A commit concerns one zone, so a move is two edits: the record is
// created in the new zone and deleted in the old one. The deletion waits until the broker has the new record, so
// the record is never in neither zone. An action that does both to one name is a move: putting a record into
// another zone, keeping the records of a zone that is deleted, or undoing either. It is undone as one action.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum Moves {
  /// What an action did to records, as far as moves are concerned.
  struct Traces {
    /// The zones in which records were made, by the records' names.
    var made: [RecordName: Int64] = [:]
    /// The records that were deleted, those of deleted zones among them.
    var deleted: [(name: RecordName, zone: Int64)] = []
  }

  /// Notes what an action moved, once all its edits are in the outbox.
  static func note(_ traces: Traces, _ transaction: DeviceTransaction) throws {
    let db = transaction.db
    for (name, zone) in traces.deleted where traces.made[name] == nil {
      try endUnsent(name, movedTo: zone, transaction)
    }
    guard !traces.made.isEmpty else { return }
    for (name, source) in traces.deleted {
      guard let target = traces.made[name], target != source else { continue }
      try note(name, from: source, to: target, db)
    }
  }

  /// A record was moved and then deleted before the broker heard of either: its deletion where it came
  /// from is one like any other, because nobody will ever find it elsewhere.
  private static func endUnsent(
    _ name: RecordName, movedTo target: Int64, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    let sources = try db.rows(
      "SELECT source FROM move WHERE target = ? AND name = ?", [target, name.text])
    let known = try RecordRow.load(db, zone: target, name: name)?.layers
    guard !sources.isEmpty, known?.ancestor.tag == nil, known?.inFlight == nil else { return }
    for source in sources {
      guard let zone = try ZoneRow.load(db, key: source[0]),
        var row = try RecordRow.load(db, zone: zone.key, name: name), row.layers.inFlight == nil
      else { continue }
      row.layers.departure = nil
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
    }
  }

  /// Notes that a record's deletion in one zone waits for its creation in another.
  static func note(
    _ name: RecordName, from source: Int64, to target: Int64, _ db: Database
  ) throws {
    try PublicIDTable.addAlias(from: (source, name), to: (target, name), db)
    // What was on its way here goes on to there, or is where it came from.
    try db.run(
      "UPDATE OR REPLACE move SET target = ? WHERE target = ? AND name = ?",
      [target, source, name.text])
    try db.run("DELETE FROM move WHERE source = target AND name = ?", [name.text])
    guard try isWaiting(name, in: source, db) else { return }
    try db.run(
      "INSERT OR REPLACE INTO move (source, name, target) VALUES (?, ?, ?)",
      [source, name.text, target])
  }

  /// Whether a deletion of the record, or of its group, has still to be sent.
  ///
  /// NB: two queries, because SQLite evaluates both sides of an OR that is selected as a value. Entries of groups have no
  /// name; by that the second query finds them without reading those of records.
  private static func isWaiting(
    _ name: RecordName, in zone: Int64, _ db: Database
  ) throws -> Bool {
    if try db.number("SELECT \(waiting("?1", "?2"))", [zone, name.text]) > 0 { return true }
    return try db.number(
      "SELECT EXISTS (SELECT 1 FROM outbox WHERE zone = ? AND name IS NULL AND kind = ?)",
      [zone, OutboxEntry.Kind.deleteZone.rawValue]) > 0
  }

  /// Whether anything is being moved.
  static func areThere(_ db: Database) throws -> Bool {
    try db.number("SELECT EXISTS (SELECT 1 FROM move)") > 0 || Relocations.areWaiting(db)
  }

  /// Whether the entry has to wait until the broker has what it deletes in another zone.
  static func holdBack(_ entry: OutboxEntry, _ db: Database) throws -> Bool {
    let onItsWay = waiting("move.target", "move.name")
    if let name = entry.name {
      if try Relocations.isWaiting(name, in: entry.zone, db) { return true }
      return try db.number(
        "SELECT EXISTS (SELECT 1 FROM move WHERE source = ? AND name = ? AND \(onItsWay))",
        [entry.zone, name.text]) > 0
    }
    guard entry.kind == .deleteZone else { return false }
    return try db.number(
      "SELECT EXISTS (SELECT 1 FROM move WHERE source = ? AND \(onItsWay))", [entry.zone]) > 0
  }

  /// The entry was found to be held back: it is not looked at again before what it waits for ends.
  /// - Returns: whether that is news.
  static func note(heldBack entry: OutboxEntry, _ db: Database) throws -> Bool {
    try db.run("UPDATE outbox SET moving = 1 WHERE id = ? AND moving = 0", [entry.id])
    return db.changesCount > 0
  }

  /// Whether the outbox has an entry of a record, as SQL.
  static func waiting(_ zone: String, _ name: String) -> String {
    "EXISTS (SELECT 1 FROM outbox WHERE zone = \(zone) AND name = \(name))"
  }

  /// A record found no place where it was moved to: it shows again where it was, as `fields`, or as
  /// it was there before it was moved.
  static func takeBack(
    _ name: RecordName, movedTo target: Int64, as fields: Fields?, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    let rows = try db.rows(
      "SELECT source FROM move WHERE target = ? AND name = ?", [target, name.text])
    for found in rows {
      let source: Int64 = found["source"]
      guard let zone = try ZoneRow.load(db, key: source), zone.state.isShown,
        var entry = try OutboxEntry.unsent(transaction, zone: source, name: name),
        var row = try RecordRow.load(db, zone: source, name: name), row.layers.shown == nil
      else { continue }
      // Also what the broker has not said to have: an edit under way, or a first record.
      let before =
        row.layers.inFlight.map(\.fields) ?? row.layers.ancestor.fields ?? row.layers.bundled
      row.layers.shown = zone.isWritable ? fields ?? before : before
      // It has not left: the trail is that of the record as it was.
      row.layers.shown?[MoveTrail.field] = before?[MoveTrail.field]
      try FirstRun.bringBack(&row, in: zone, transaction)
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
      try GroupDeletion.keep(zone, transaction)
      try PublicIDTable.addAlias(from: (target, name), to: (source, name), db)
      try db.run("DELETE FROM move WHERE source = ? AND name = ?", [source, name.text])
      guard row.layers.hasPending else {
        transaction.ledger.undone += entry.edits
        try entry.remove(transaction)
        continue
      }
      entry.isDeletion = false
      try entry.store(transaction)
    }
  }
}
