// A zone as the device stores it: its entry in the directory, the position of the device in its feed, and whether the
// device created or deleted it without the broker's confirmation.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// A row of the `zone` table.
struct ZoneRow {
  /// Whether the broker has the zone.
  enum State: Int {
    /// The broker has the zone.
    case present = 0
    /// This device created the zone, and the broker has not confirmed it.
    case creating = 1
    /// This device deleted the zone, and the broker has not confirmed it. The zone is not shown any more.
    case deleting = 2
    /// The broker deleted the zone and keeps its records for a while. The zone is in the trash, without its records.
    case deleted = 3

    /// Whether the zone and its records are on this device and shown.
    var isShown: Bool { self == .present || self == .creating }
    /// The same as SQL, for the column of a zone's row.
    static let isShown = "state IN (\(present.rawValue), \(creating.rawValue))"
  }

  /// The row's number; `nil` before it is stored.
  private(set) var id: Int64?
  let zone: ZoneID
  /// The shown title.
  var title: String
  /// The broker's title.
  var knownTitle: String?
  /// The revision of the broker's title.
  var titleRevision = Revision.zero
  /// How often it was deleted and restored.
  var restorations = 0
  /// The revision of the participants.
  var membersRevision = Revision.zero
  var role: DirectoryEntry.Role
  var isWritable: Bool
  /// The owner's name; empty for this account.
  var ownerName = ""
  /// The owner's display name, also of this account; empty before the broker sent it.
  var ownerDisplayName = ""
  /// Whether other accounts can see the zone, or one of them owns it.
  var isShared = false
  var state: State
  /// The deletion of the zone, if the broker keeps its records for the owner.
  var deletion: ZoneDeletion?
  /// The position of this device in the zone's feed.
  var token: ChangeToken?
  /// The incarnation of the history that was read last.
  var incarnation: Incarnation?
  /// The incarnation of the broker's present history, as the directory says it.
  var listedIncarnation: Incarnation?
  /// Whether the broker was rewound to a backup, and this device has not read the zone since. Then the broker's states are
  /// later than all that it had confirmed.
  var isRewound = false
  /// The incarnation of all local records when the current resync began; `nil` if they belong to several histories, or
  /// no resync is active.
  var readBefore: Incarnation?
  /// The ended histories that the zone's present one continues.
  var lineage = Lineage()
  /// Those of the history `readBefore`.
  var lineageBefore = Lineage()
  var sweep: Sweep
  /// The revision through which any device has emptied the zone's trash.
  var erasedThrough = Revision.zero

  /// Creates the row of a new zone.
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

  /// The columns in the order in which `init` reads them. NB: every edit reads its zone, and looking up columns by their
  /// names took most of the time.
  private static let selection = """
    SELECT id, owner, name, title, known_title, role, writable, owner_name, owner_display_name, shared, state,
      incarnation, read_before, sweep, erased_through, revision, scan_start, deleted_at, kept_records,
      kept_head, lineage, lineage_before, title_revision, members_revision,
      restorations, listed_incarnation, is_rewound, kept_deleted FROM zone
    """

  private init(_ row: Row) throws {
    guard let owner = AccountID(column: row[1]), let name = ZoneName(column: row[2])
    else { throw StoreError(.damaged, "A zone's row is damaged.") }
    id = row[0]
    zone = ZoneID(owner: owner, name: name)
    title = row[3]
    knownTitle = row[4]
    role = DirectoryEntry.Role(rawValue: UInt8(clamping: row[5] as Int)) ?? .member
    isWritable = row[6]
    ownerName = row[7]
    ownerDisplayName = row[8]
    isShared = row[9]
    state = State(rawValue: row[10]) ?? .present
    incarnation = Incarnation(column: row[11])
    readBefore = Incarnation(column: row[12])
    sweep = Sweep(rawValue: row[13]) ?? .none
    erasedThrough = Revision(row[14])
    if let incarnation, let revision = row[15] as Int64? {
      token = ChangeToken(
        incarnation: incarnation, revision: Revision(revision),
        scanStart: Revision(row[16] as Int64? ?? 0))
    }
    deletion = (row[17] as Int64?).map {
      ZoneDeletion(
        time: Timestamp(microseconds: $0), recordCount: row[18] as Int? ?? 0,
        head: Revision(row[19] as Int64? ?? 0), hasDeletedRecords: row[27] as Bool? ?? false)
    }
    lineage = (row[20] as Data?).flatMap { Lineage(bytes: $0) } ?? Lineage()
    lineageBefore = (row[21] as Data?).flatMap { Lineage(bytes: $0) } ?? Lineage()
    titleRevision = Revision(row[22])
    membersRevision = Revision(row[23])
    restorations = row[24]
    listedIncarnation = (row[25] as Data?).flatMap { Incarnation(column: $0) }
    isRewound = row[26]
  }

  /// The history that is read, or was read last; `nil` if none was.
  var history: ZoneHistory? {
    (token?.incarnation ?? incarnation).map { ZoneHistory($0, lineage) }
  }

  /// What the state of a record contains that the broker had confirmed before the reading under way began.
  func versions(before state: BrokerState) -> VersionVector {
    // A record of a zone that this device created, and had not begun to read, has no known history.
    ZoneHistory(readBefore ?? Incarnation(1), lineageBefore).versions(of: state)
  }

  /// Whether the history that is read has any history in common with the one that was read before.
  var isContinued: Bool {
    let known = lineage.versions
    return (lineageBefore.entries.map(\.incarnation) + [readBefore].compactMap { $0 })
      .contains { known[$0] != nil }
  }

  /// Whether the device is reading a new history and has not received the record's state in it. The public database is
  /// read by queries instead, and `PublicReadingRun` replaces its older states.
  func isUnreadInNewHistory(_ row: RecordRow) -> Bool {
    sweep == .restored && !zone.isPublic && !row.isSeen
  }

  /// The number of the row, which must be stored.
  var key: Int64 {
    guard let id else { preconditionFailure("A zone is stored before its records are.") }
    return id
  }

  /// Returns the row of a zone.
  static func load(_ db: Database, _ zone: ZoneID) throws -> ZoneRow? {
    try db.row(
      "\(selection) WHERE owner = ? AND name = ?", [zone.owner.column, zone.name.column]
    ).map(ZoneRow.init)
  }

  /// Returns the row with this number.
  static func load(_ db: Database, key: Int64) throws -> ZoneRow? {
    try db.row("\(selection) WHERE id = ?", [key]).map(ZoneRow.init)
  }

  /// Returns all rows, in the order in which the zones became known.
  static func all(_ db: Database) throws -> [ZoneRow] {
    try db.rows("\(selection) ORDER BY id").map(ZoneRow.init)
  }

  /// Writes the row.
  mutating func store(_ db: Database) throws {
    let columns: StatementArguments = [
      title, knownTitle, Int(role.rawValue), isWritable, state.rawValue,
      (token?.incarnation ?? incarnation)?.column, token?.revision.value,
      token?.scanStart.value, sweep.rawValue, erasedThrough.value, ownerName, isShared,
      ownerDisplayName, readBefore?.column, deletion?.time.microseconds, deletion?.recordCount,
      deletion?.head.value,
      lineage.isEmpty ? nil : Data(lineage.bytes),
      lineageBefore.isEmpty ? nil : Data(lineageBefore.bytes), titleRevision.value,
      membersRevision.value, restorations, listedIncarnation?.column, isRewound,
      deletion?.hasDeletedRecords,
    ]
    if let id {
      try db.run(
        """
        UPDATE zone SET title = ?, known_title = ?, role = ?, writable = ?, state = ?,
          incarnation = ?, revision = ?, scan_start = ?, sweep = ?, erased_through = ?,
          owner_name = ?, shared = ?, owner_display_name = ?, read_before = ?, deleted_at = ?,
          kept_records = ?, kept_head = ?, lineage = ?, lineage_before = ?, title_revision = ?,
          members_revision = ?, restorations = ?, listed_incarnation = ?, is_rewound = ?,
          kept_deleted = ?
        WHERE id = ?
        """, columns + [id])
    } else {
      try db.run(
        """
        INSERT INTO zone (title, known_title, role, writable, state, incarnation, revision,
          scan_start, sweep, erased_through, owner_name, shared, owner_display_name, read_before,
          deleted_at, kept_records, kept_head, lineage, lineage_before, title_revision,
          members_revision, restorations, listed_incarnation, is_rewound, kept_deleted, owner, name)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, columns + [zone.owner.column, zone.name.column])
      id = db.lastInsertedRowID
    }
  }

  /// Deletes the rows of the zone's records, except those with unsent edits, without an event for each. The caller appends
  /// one for the group.
  /// - Parameter keepsLeaving: whether records stay too whose deletion by a move is in a request. The broker may reject
  ///   it, and this row alone says where the record went.
  func removeRecords(in transaction: DeviceTransaction, keepsLeaving: Bool = false) throws {
    let db = transaction.db
    transaction.editedRecords.forget(zone: key)
    for projection in transaction.application.projections { try projection.remove(zone: key, db) }
    let isSent = """
      zone = ?1 AND name NOT IN (
        SELECT name FROM outbox WHERE zone = ?1 AND name IS NOT NULL AND number IS NULL)
      \(keepsLeaving ? "AND NOT \(Self.isLeaving)" : "")
      """
    try db.run("DELETE FROM layer WHERE record IN (SELECT id FROM record WHERE \(isSent))", [key])
    try db.run("DELETE FROM record WHERE \(isSent)", [key])
    try db.run("DELETE FROM past WHERE zone = ?", [key])
    try db.run("DELETE FROM trash WHERE zone = ?", [key])
    try db.run("DELETE FROM deleted_record WHERE zone = ?", [key])
    try db.run("DELETE FROM public_alias WHERE zone = ?", [key])
  }

  /// Whether a record was moved out of its zone, as SQL; see `RecordLayers.isLeaving`.
  private static let isLeaving = """
    (shown IS NULL AND EXISTS (
      SELECT 1 FROM layer WHERE layer.record = record.id AND departure IS NOT NULL))
    """

  /// Deletes the row of a deleted zone, which has nothing else on this device but requests to the broker.
  func delete(in transaction: DeviceTransaction) throws {
    let unsent = try OutboxEntry.load(
      transaction.db, where: "zone = ? AND number IS NULL", [key])
    for entry in unsent {
      transaction.ledger.merged += entry.edits
      try entry.remove(transaction)
    }
    try transaction.db.run("DELETE FROM zone WHERE id = ?", [key])
  }

  /// Deletes the zone with its records and notifications. If the broker keeps the records, a row for the trash remains.
  func remove(in transaction: DeviceTransaction) throws {
    try removeRecords(in: transaction)
    try RejectedEdits.discardUnseen(of: self, transaction)
    try transaction.db.run(
      "DELETE FROM notification WHERE owner = ? AND zone_name = ?",
      [zone.owner.column, zone.name.column])
    try transaction.db.run("DELETE FROM move WHERE source = ?1 OR target = ?1", [key])
    try transaction.db.run("DELETE FROM zone WHERE id = ?", [key])
    guard let deletion else { return }
    try DeletedGroups.insert(zone, title: title, deletion, transaction.db)
  }
}
