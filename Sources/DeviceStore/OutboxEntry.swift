// One thing that the broker has still to be told, in the order in which it was first done. An entry
// says which record changed, not how: the change itself is what its layers differ by, worked out
// when the entry is frozen into a numbered request.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// One row of the outbox.
struct OutboxEntry {
  /// What the entry does.
  enum Kind: Int {
    /// It saves or deletes a record.
    case record = 0
    /// It makes or renames a group.
    case saveZone = 1
    /// It deletes a group.
    case deleteZone = 2
    /// It is part of the first run's import.
    case bundled = 3

    /// It empties a group's trash.
    case emptyTrash = 4

    /// Whether it concerns a record.
    var isRecord: Bool { self == .record || self == .bundled }
  }

  /// The number of its row, rising.
  private(set) var id: Int64?
  /// Its place in the order: that of the first with which it goes together.
  var place: Int64 { action ?? id ?? .max }
  let zone: Int64
  let name: RecordName?
  var kind: Kind
  var title: String?
  /// The entries of one action go in one group.
  var action: Int64?
  /// Whether a person asked for it.
  var isAsked: Bool
  /// Whether it deletes a record.
  var isDeletion: Bool
  /// How many edits of people it stands for.
  var edits: Int
  /// Whether the guard holds it.
  var isHeld = false
  /// The file that must be on the broker before it can be sent: its own, or one of an entry it goes
  /// together with or behind. Set when it was to be sent, so that it is not looked at again and again
  /// until the file is there, and forgotten with every change.
  var awaited: Asset?
  /// Whether it must be sent in a request of its own, so that a request that the broker will not
  /// even read is found.
  var isAlone = false
  /// The request it was frozen into.
  var number: RequestNumber?
  /// Where its group and its operation stand in that request.
  var groupIndex: Int?
  var operationIndex: Int?

  /// An entry for a record.
  init(
    record name: RecordName, zone: Int64, kind: Kind = .record, isAsked: Bool, isDeletion: Bool,
    edits: Int
  ) {
    self.zone = zone
    self.name = name
    self.kind = kind
    self.isAsked = isAsked
    self.isDeletion = isDeletion
    self.edits = edits
  }

  /// An entry for a group.
  init(zone: Int64, kind: Kind, title: String?) {
    self.zone = zone
    name = nil
    self.kind = kind
    self.title = title
    isAsked = true
    isDeletion = false
    edits = 1
  }

  private init(_ row: Row) {
    id = row["id"]
    zone = row["zone"]
    name = (row["name"] as String?).map { RecordName(stored: $0) }
    kind = Kind(rawValue: row["kind"]) ?? .record
    title = row["title"]
    action = row["action"]
    isAsked = row["asked"]
    isDeletion = row["deletion"]
    edits = row["edits"]
    isHeld = row["held"]
    awaited = Self.asset(row["awaited"], row["awaited_size"])
    isAlone = row["alone"]
    number = (row["number"] as Int64?).map { RequestNumber($0) }
    groupIndex = row["group_index"]
    operationIndex = row["operation_index"]
  }

  /// The entries that a condition selects, in order.
  static func load(
    _ db: Database, where condition: String, _ arguments: StatementArguments = []
  ) throws -> [OutboxEntry] {
    try db.rows("SELECT * FROM outbox WHERE \(condition)", arguments).map(OutboxEntry.init)
  }

  /// The entry of a record that is not frozen.
  static func unsent(_ db: Database, zone: Int64, name: RecordName) throws -> OutboxEntry? {
    try load(db, where: "zone = ? AND name = ? AND number IS NULL", [zone, name.text]).first
  }

  /// What was found to wait for a file ends to wait: it is there, or will never be.
  static func endWait(for digest: AssetDigest, _ db: Database) throws {
    try db.run(
      "UPDATE outbox SET awaited = NULL, awaited_size = NULL WHERE awaited = ?",
      [Data(digest.bytes)])
  }

  /// The file that the first entry waits for, but none of these.
  static func awaited(_ db: Database, except others: Set<AssetDigest>) throws -> Asset? {
    let row = try db.row(
      """
      SELECT awaited, awaited_size FROM outbox
      WHERE awaited IS NOT NULL AND awaited NOT IN (\(ReplicaAssetTable.places(others.count)))
      ORDER BY id LIMIT 1
      """, StatementArguments(others.map { Data($0.bytes) }))
    return row.flatMap { asset($0[0], $0[1]) }
  }

  private static func asset(_ digest: Data?, _ sizeBytes: Int?) -> Asset? {
    guard let digest = digest.flatMap({ AssetDigest(bytes: $0) }), let sizeBytes else { return nil }
    return Asset(digest, sizeBytes: sizeBytes)
  }

  /// Writes the entry; a new one goes to the end.
  mutating func store(_ db: Database) throws {
    let columns: StatementArguments = [
      zone, name?.text, kind.rawValue, title, action, isAsked, isDeletion, edits, isHeld,
      isAlone, number?.value, groupIndex, operationIndex, awaited.map { Data($0.digest) },
      awaited?.byteCount,
    ]
    if let id {
      try db.run(
        """
        UPDATE outbox SET zone = ?, name = ?, kind = ?, title = ?, action = ?, asked = ?,
          deletion = ?, edits = ?, held = ?, alone = ?, number = ?, group_index = ?,
          operation_index = ?, awaited = ?, awaited_size = ? WHERE id = ?
        """, columns + [id])
    } else {
      try db.run(
        """
        INSERT INTO outbox (zone, name, kind, title, action, asked, deletion, edits, held, alone,
          number, group_index, operation_index, awaited, awaited_size)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, columns)
      id = db.lastInsertedRowID
    }
  }

  /// Moves the entry behind all others.
  mutating func enterLast(_ db: Database) throws {
    try remove(db)
    id = nil
    try store(db)
  }

  /// Whether the entry is still in the outbox.
  func isStored(_ db: Database) throws -> Bool {
    try db.number("SELECT EXISTS (SELECT 1 FROM outbox WHERE id = ?)", [id]) > 0
  }

  /// Takes the entry out.
  func remove(_ db: Database) throws {
    try db.run("DELETE FROM outbox WHERE id = ?", [id])
  }

  /// Forgets the request it was frozen into. An entry that the same record got meanwhile becomes
  /// part of this one, at this one's place.
  mutating func thaw(_ db: Database) throws {
    if let name, let later = try Self.unsent(db, zone: zone, name: name), later.id != id {
      try later.remove(db)
      edits += later.edits
      isAsked = later.isAsked && (isAsked || later.isDeletion)
      isDeletion = later.isDeletion
      isHeld = later.isHeld
    }
    number = nil
    groupIndex = nil
    operationIndex = nil
    awaited = nil
    try store(db)
  }
}
