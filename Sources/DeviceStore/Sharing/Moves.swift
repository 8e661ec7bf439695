// Contacts on their way from one group to another. A group is a zone and a commit is of one zone, so
// a move is two edits: made there, deleted here. The deletion waits until the broker has what was
// made, whatever happens in between: at no moment is the contact in neither group. Whatever action
// does both to one name is a move – putting a contact into another group, keeping the contacts of a
// group that goes, taking either back – and it stays one action for its undo.

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
  static func note(_ traces: Traces, _ db: Database) throws {
    guard !traces.made.isEmpty else { return }
    for (name, source) in traces.deleted {
      guard let target = traces.made[name], target != source else { continue }
      try note(name, from: source, to: target, db)
    }
  }

  private static func note(
    _ name: RecordName, from source: Int64, to target: Int64, _ db: Database
  ) throws {
    // What was on its way here goes on to there, or is where it came from.
    try db.run(
      "UPDATE OR REPLACE move SET target = ? WHERE target = ? AND name = ?",
      [target, source, name.text])
    try db.run("DELETE FROM move WHERE source = target AND name = ?", [name.text])
    let waits = try db.number(
      """
      SELECT EXISTS (SELECT 1 FROM outbox WHERE zone = ?1 AND name = ?2)
        OR EXISTS (SELECT 1 FROM outbox WHERE zone = ?1 AND kind = ?3)
      """, [source, name.text, OutboxEntry.Kind.deleteZone.rawValue])
    guard waits > 0 else { return }
    try db.run(
      "INSERT OR REPLACE INTO move (source, name, target) VALUES (?, ?, ?)",
      [source, name.text, target])
  }

  /// Whether anything is being moved.
  static func areThere(_ db: Database) throws -> Bool {
    try db.number("SELECT EXISTS (SELECT 1 FROM move)") > 0
  }

  /// Whether the entry has to wait until the broker has what it deletes in another zone.
  static func holdBack(_ entry: OutboxEntry, _ db: Database) throws -> Bool {
    let onItsWay = """
      (EXISTS (SELECT 1 FROM outbox WHERE zone = move.target AND name = move.name
          AND number IS NULL AND name IS NOT NULL)
        OR EXISTS (SELECT 1 FROM outbox WHERE zone = move.target AND name = move.name
          AND number IS NOT NULL AND name IS NOT NULL))
      """
    if let name = entry.name {
      return try db.number(
        "SELECT EXISTS (SELECT 1 FROM move WHERE source = ? AND name = ? AND \(onItsWay))",
        [entry.zone, name.text]) > 0
    }
    guard entry.kind == .deleteZone else { return false }
    return try db.number(
      "SELECT EXISTS (SELECT 1 FROM move WHERE source = ? AND \(onItsWay))", [entry.zone]) > 0
  }

  /// A record found no place where it was moved to: it shows again where it was, as `fields`, or as
  /// the broker has it there.
  static func takeBack(
    _ name: RecordName, movedTo target: Int64, as fields: Fields?, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    let rows = try db.rows(
      "SELECT source FROM move WHERE target = ? AND name = ?", [target, name.text])
    for found in rows {
      let source: Int64 = found["source"]
      guard let zone = try ZoneRow.load(db, key: source), zone.state != .deleting,
        var entry = try OutboxEntry.unsent(db, zone: source, name: name),
        var row = try RecordRow.load(db, zone: source, name: name), row.layers.shown == nil
      else { continue }
      row.layers.shown =
        zone.isWritable ? fields ?? row.layers.ancestor.fields : row.layers.ancestor.fields
      try row.store(in: transaction, zone: zone, by: transaction.ownAuthor)
      try db.run("DELETE FROM move WHERE source = ? AND name = ?", [source, name.text])
      guard row.layers.hasPending else {
        transaction.ledger.undone += entry.edits
        try entry.remove(db)
        continue
      }
      entry.isDeletion = false
      try entry.store(db)
    }
  }
}
