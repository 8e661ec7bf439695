// Records that are in two groups of the account after all: more than two devices moved one at once, the broker was
// restored between two moves, or a device sent half of a move. A device that has connected and read everything merges
// them into the one that moved last, unless they have just changed: until then, the device that moved them may know more.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// Finds and merges records of one name in several of the account's groups.
struct DoubledRecords {
  /// The names that are examined at a connection; the others wait for the next one.
  static let namesMaximum = 1_000

  /// How long such records stay as they are, by the broker's clock and this device's.
  static let waitSeconds: Int64 = 60

  private let transaction: DeviceTransaction

  init(_ transaction: DeviceTransaction) {
    self.transaction = transaction
  }

  private var db: Database { transaction.db }

  /// Whether there is a name that may be one of these. It reads one index: 15 ms for 100,000 records.
  static func mayBeThere(_ db: Database) throws -> Bool {
    try !names(db).isEmpty
  }

  private static func names(_ db: Database) throws -> [RecordName] {
    try db.rows(
      "SELECT name FROM record GROUP BY name HAVING count(*) > 1 LIMIT \(namesMaximum)"
    ).map { RecordName(stored: $0[0]) }
  }

  /// Merges them, each into the one that moved last. Every device chooses the same one.
  func merge() throws {
    for name in try Self.names(db) {
      let copies = try copies(of: name)
      guard copies.count > 1, let last = copies.max(by: { $0.order < $1.order }) else { continue }
      for copy in copies where copy.zone.key != last.zone.key {
        // NB: read again, because one of the others may have been merged into it.
        guard let move = last.move(whichLeft: copy),
          let row = try RecordRow.load(db, zone: copy.zone.key, name: name)
        else { continue }
        // NB: without a base. What only one of them has is kept, and every difference is a conflict.
        let relocation = Relocation(move: move, mover: nil, base: Fields())
        try Relocations(transaction).relocate(row, in: copy.zone, relocation)
      }
    }
  }

  /// A record with its group and the ids of its moves.
  private struct Copy {
    let row: RecordRow
    let zone: ZoneRow
    let trail: [MoveID]

    /// A record that was moved on has more moves. Of two that were moved at once, any will do.
    var order: Order { Order(moves: trail.count, lastFirst: trail.reversed().flatMap(\.bytes)) }

    /// The move by which `other` is deleted. Two devices that moved a record in opposite directions at once have each
    /// merged the other's record into their own: both have the same moves, in another order, and any will do. A record
    /// that was created again on purpose has the same moves in the same order, and stays.
    func move(whichLeft other: Copy) -> MoveID? {
      if let move = trail.last(where: { !other.trail.contains($0) }) { return move }
      return trail == other.trail ? nil : trail.last
    }
  }

  private struct Order: Comparable {
    let moves: Int
    let lastFirst: [UInt8]

    static func < (one: Order, other: Order) -> Bool {
      one.moves == other.moves
        ? one.lastFirst.lexicographicallyPrecedes(other.lastFirst) : one.moves < other.moves
    }
  }

  /// The records of this name in the account's own groups; none while anything about the name is unsent, because a move
  /// that is under way finds the other record itself.
  ///
  /// NB: only those that the account created or moved there. A participant could put a record of this name into a shared
  /// group, and would receive what the account has elsewhere.
  private func copies(of name: RecordName) throws -> [Copy] {
    let rows = try RecordRow.load(
      db, sql: "SELECT * FROM record WHERE name = ? ORDER BY id", [name.text])
    guard try rows.allSatisfy(isAtRest) else { return [] }
    let newest = rows.compactMap { $0.layers.ancestor.modified?.time }.max()
    guard let newest, newest.adding(seconds: Self.waitSeconds) < transaction.now else { return [] }
    let relocations = Relocations(transaction)
    return try rows.compactMap { row in
      guard let shown = row.layers.shown,
        ![ConflictRecord.recordType, FirstRecords.markerType].contains(row.layers.type),
        let zone = try ZoneRow.load(db, key: row.zone), zone.zone.owner == .current,
        zone.state.isShown, try !GroupDeletion.hides(zone.key, db),
        relocations.isMovedHere(row, by: nil, in: zone)
      else { return nil }
      return Copy(row: row, zone: zone, trail: MoveTrail(shown).ids)
    }
  }

  private func isAtRest(_ row: RecordRow) throws -> Bool {
    let layers = row.layers
    guard !layers.hasPending, layers.inFlight == nil, layers.held == nil, layers.relocation == nil
    else { return false }
    return try db.number("SELECT \(Moves.waiting("?1", "?2"))", [row.zone, layers.name.text]) == 0
  }
}
