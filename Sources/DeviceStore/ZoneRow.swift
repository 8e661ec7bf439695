// A zone as the device keeps it: its entry in the directory, how far it has been read, and whether
// it was made or deleted here without the broker knowing yet.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// One zone's row.
struct ZoneRow {
  /// Whether the broker has the zone.
  enum State: Int {
    /// It has.
    case present = 0
    /// It was made here.
    case creating = 1
    /// It was deleted here; people no longer see it.
    case deleting = 2
  }

  /// The row's number; `nil` before it is stored.
  private(set) var id: Int64?
  let zone: ZoneID
  /// The title people see.
  var title: String
  /// The title the broker has.
  var knownTitle: String?
  var role: DirectoryEntry.Role
  var isWritable: Bool
  /// Its owner's name; empty for this account's own.
  var ownerName = ""
  /// What people call its owner, also this account; empty until the broker told it.
  var ownerDisplayName = ""
  /// Whether others may see it, or it is another's.
  var isShared = false
  var state: State
  /// How far it has been read.
  var token: ChangeToken?
  /// The history read last.
  var incarnation: Incarnation?
  /// The history that everything here was of when the reading under way began from the start; `nil`
  /// where it was of several, and when none is under way.
  var readBefore: Incarnation?
  var sweep: Sweep
  /// Up to where the zone's trash was emptied, by whichever device.
  var erasedThrough = Revision.zero

  /// A zone that is new here.
  init(
    zone: ZoneID, title: String, knownTitle: String?, role: DirectoryEntry.Role = .owner,
    isWritable: Bool = true, state: State
  ) {
    self.zone = zone
    self.title = title
    self.knownTitle = knownTitle
    self.role = role
    self.isWritable = isWritable
    self.state = state
    sweep = .none
  }

  private init(_ row: Row) throws {
    guard let owner = AccountID(column: row["owner"]), let name = ZoneName(column: row["name"])
    else { throw StoreError(.damaged, "A zone's row is damaged.") }
    id = row["id"]
    zone = ZoneID(owner: owner, name: name)
    title = row["title"]
    knownTitle = row["known_title"]
    role = DirectoryEntry.Role(rawValue: UInt8(clamping: row["role"] as Int)) ?? .member
    isWritable = row["writable"]
    ownerName = row["owner_name"]
    ownerDisplayName = row["owner_display_name"]
    isShared = row["shared"]
    state = State(rawValue: row["state"]) ?? .present
    incarnation = Incarnation(column: row["incarnation"])
    readBefore = Incarnation(column: row["read_before"])
    sweep = Sweep(rawValue: row["sweep"]) ?? .none
    erasedThrough = Revision(row["erased_through"])
    if let incarnation, let revision = row["revision"] as Int64? {
      token = ChangeToken(
        incarnation: incarnation, revision: Revision(revision),
        scanStart: Revision(row["scan_start"] as Int64? ?? 0))
    }
  }

  /// Whether the broker has not told yet what the record is in the new history that is being read. What is
  /// public is told by queries, and a state of before gives way there (PublicReadingRun).
  func isReadAnew(_ row: RecordRow) -> Bool {
    sweep == .restored && !zone.isPublic && !row.isSeen
  }

  /// The row's number of a zone that is stored.
  var key: Int64 {
    guard let id else { preconditionFailure("A zone is stored before its records are.") }
    return id
  }

  /// The zone's row.
  static func load(_ db: Database, _ zone: ZoneID) throws -> ZoneRow? {
    try db.row(
      "SELECT * FROM zone WHERE owner = ? AND name = ?", [zone.owner.column, zone.name.column]
    ).map(ZoneRow.init)
  }

  /// The zone of a row's number.
  static func load(_ db: Database, key: Int64) throws -> ZoneRow? {
    try db.row("SELECT * FROM zone WHERE id = ?", [key]).map(ZoneRow.init)
  }

  /// All zones, in the order they became known.
  static func all(_ db: Database) throws -> [ZoneRow] {
    try db.rows("SELECT * FROM zone ORDER BY id").map(ZoneRow.init)
  }

  /// Writes the row.
  mutating func store(_ db: Database) throws {
    let columns: StatementArguments = [
      title, knownTitle, Int(role.rawValue), isWritable, state.rawValue,
      (token?.incarnation ?? incarnation)?.column, token?.revision.value,
      token?.scanStart.value, sweep.rawValue, erasedThrough.value, ownerName, isShared,
      ownerDisplayName, readBefore?.column,
    ]
    if let id {
      try db.run(
        """
        UPDATE zone SET title = ?, known_title = ?, role = ?, writable = ?, state = ?,
          incarnation = ?, revision = ?, scan_start = ?, sweep = ?, erased_through = ?,
          owner_name = ?, shared = ?, owner_display_name = ?, read_before = ? WHERE id = ?
        """, columns + [id])
    } else {
      try db.run(
        """
        INSERT INTO zone (title, known_title, role, writable, state, incarnation, revision,
          scan_start, sweep, erased_through, owner_name, shared, owner_display_name, read_before,
          owner, name)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, columns + [zone.owner.column, zone.name.column])
      id = db.lastInsertedRowID
    }
  }

  /// Removes everything the device keeps of the zone's records, without an event for each: one
  /// tells that the group is gone.
  func removeRecords(in transaction: DeviceTransaction) throws {
    let db = transaction.db
    for projection in transaction.application.projections { try projection.remove(zone: key, db) }
    try db.run(
      "DELETE FROM layer WHERE record IN (SELECT id FROM record WHERE zone = ?)", [key])
    try db.run("DELETE FROM record WHERE zone = ?", [key])
    try db.run("DELETE FROM past WHERE zone = ?", [key])
    try db.run("DELETE FROM trash WHERE zone = ?", [key])
    try db.run("DELETE FROM public_alias WHERE zone = ?", [key])
  }

  /// Removes the zone itself.
  func remove(in transaction: DeviceTransaction) throws {
    try removeRecords(in: transaction)
    try transaction.db.run(
      "DELETE FROM notification WHERE owner = ? AND zone_name = ?",
      [zone.owner.column, zone.name.column])
    try transaction.db.run("DELETE FROM move WHERE source = ?1 OR target = ?1", [key])
    try transaction.db.run("DELETE FROM zone WHERE id = ?", [key])
  }
}
