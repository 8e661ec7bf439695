// The edits that the broker has not confirmed, in the order in which they were first made. An entry identifies the
// changed record but does not contain the change. The change is the difference between the record's layers, computed
// when the entry is added to a numbered request.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// A row of the outbox.
struct OutboxEntry {
  /// The kind of edit.
  enum Kind: Int {
    /// Saves or deletes a record.
    case record = 0
    /// Creates or renames a group.
    case saveZone = 1
    /// Deletes a group.
    case deleteZone = 2
    /// Saves a record of the first run.
    case bundled = 3

    /// Empties a group's trash.
    case emptyTrash = 4
    /// Restores a deleted group.
    case restoreZone = 5

    /// Whether the edit concerns a record.
    var isRecord: Bool { self == .record || self == .bundled }
  }

  /// The number of the row. Later rows have higher numbers.
  private(set) var id: Int64?
  /// The position in the order of sending: that of the first entry of the same action.
  var place: Int64 { action ?? id ?? .max }
  let zone: Int64
  let name: RecordName?
  var kind: Kind
  var title: String?
  /// The number of the action. The entries of one action are sent in one group.
  var action: Int64?
  /// Whether the user confirmed the edit.
  var isAsked: Bool
  /// Whether the entry deletes a record.
  var isDeletion: Bool
  /// The number of the user's edits that the entry contains.
  var edits: Int
  /// Whether the deletion guard holds the entry.
  var isHeld = false
  /// The file that must be on the broker before the entry can be sent: its own, or one of an entry that must be sent
  /// with it or before it. Set when the entry would have been sent, so that it is not examined again until the file is
  /// there. Every change of the entry resets it.
  var awaited: Asset?
  /// Whether the entry must be sent in a request of its own, to find the entry that makes the broker reject a request.
  var isAlone = false
  /// The request that contains the entry.
  var number: RequestNumber?
  /// The indices of the entry's group and operation in that request.
  var groupIndex: Int?
  var operationIndex: Int?

  /// Creates an entry for a record.
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

  /// Creates an entry for a group.
  init(zone: Int64, kind: Kind, title: String?) {
    self.zone = zone
    name = nil
    self.kind = kind
    self.title = title
    isAsked = true
    isDeletion = false
    edits = 1
  }

  /// The columns in the order in which `init` reads them.
  private static let selection = """
    SELECT id, zone, name, kind, title, action, asked, deletion, edits, held, awaited, awaited_size, alone, number,
      group_index, operation_index FROM outbox
    """

  private init(_ row: HotStatement) {
    id = row.number(0)
    zone = row.number(1)
    name = row.isNull(2) ? nil : RecordName(stored: row.text(2))
    kind = Kind(rawValue: Int(row.number(3))) ?? .record
    title = row.isNull(4) ? nil : row.text(4)
    action = row.isNull(5) ? nil : row.number(5)
    isAsked = row.number(6) != 0
    isDeletion = row.number(7) != 0
    edits = Int(row.number(8))
    isHeld = row.number(9) != 0
    awaited =
      row.isNull(10) ? nil : Self.asset(Data(row.bytes(10)), sizeBytes: Int(row.number(11)))
    isAlone = row.number(12) != 0
    number = row.isNull(13) ? nil : RequestNumber(row.number(13))
    groupIndex = row.isNull(14) ? nil : Int(row.number(14))
    operationIndex = row.isNull(15) ? nil : Int(row.number(15))
  }

  /// Returns the entries that satisfy an SQL condition, in order.
  static func load(
    _ db: Database, where condition: String, _ arguments: StatementArguments = []
  ) throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    let statement = try HotStatement(borrowing: "\(selection) WHERE \(condition)", from: db)
    try statement.forEach(arguments) { row in
      entries.append(OutboxEntry(row))
      return true
    }
    return entries
  }

  private static let isUnsent = "zone = ? AND name = ? AND number IS NULL"
  private static let unsentLookup = HotSQL("SELECT 1 FROM outbox WHERE \(isUnsent)")

  /// Returns the entry of a record that is not part of a request.
  static func unsent(
    _ transaction: DeviceTransaction, zone: Int64, name: RecordName
  ) throws -> OutboxEntry? {
    guard try transaction.finds(unsentLookup, zone: zone, name: name) else { return nil }
    return try load(transaction.db, where: isUnsent, [zone, name.text]).first
  }

  /// Ends the waiting of all entries for a file, because the broker has it or cannot get it.
  static func endWait(for digest: AssetDigest, _ db: Database) throws {
    try db.run(
      "UPDATE outbox SET awaited = NULL, awaited_size = NULL WHERE awaited = ?",
      [Data(digest.bytes)])
  }

  /// Returns the file that the first waiting entry waits for, except `others`.
  static func awaited(_ db: Database, except others: Set<AssetDigest>) throws -> Asset? {
    let row = try db.row(
      """
      SELECT awaited, awaited_size FROM outbox
      WHERE awaited IS NOT NULL AND awaited NOT IN (\(ReplicaAssetTable.places(others.count)))
      ORDER BY id LIMIT 1
      """, StatementArguments(others.map { Data($0.bytes) }))
    return row.flatMap { asset($0[0], sizeBytes: $0[1]) }
  }

  private static func asset(_ digest: Data?, sizeBytes: Int?) -> Asset? {
    guard let digest = digest.flatMap({ AssetDigest(bytes: $0) }), let sizeBytes else { return nil }
    return Asset(digest, sizeBytes: sizeBytes)
  }

  private static let update = HotSQL(
    """
    UPDATE outbox SET zone = ?, name = ?, kind = ?, title = ?, action = ?, asked = ?,
      deletion = ?, edits = ?, held = ?, alone = ?, number = ?, group_index = ?,
      operation_index = ?, awaited = ?, awaited_size = ? WHERE id = ?
    """)
  private static let insertion = HotSQL(
    """
    INSERT INTO outbox (zone, name, kind, title, action, asked, deletion, edits, held, alone,
      number, group_index, operation_index, awaited, awaited_size)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)

  /// Writes the entry. A new one is added at the end.
  mutating func store(_ transaction: DeviceTransaction) throws {
    if let id {
      try transaction.statement(Self.update).run { statement in
        bindColumns(to: statement)
        statement.bind(16, id)
      }
    } else {
      try transaction.statement(Self.insertion).run { bindColumns(to: $0) }
      id = transaction.db.lastInsertedRowID
    }
  }

  /// Binds the columns other than the id, as the first fifteen parameters.
  private func bindColumns(to statement: HotStatement) {
    statement.bind(1, zone)
    statement.bind(2, optional: name?.text)
    statement.bind(3, Int64(kind.rawValue))
    statement.bind(4, optional: title)
    statement.bind(5, optional: action)
    statement.bind(6, isAsked ? 1 : 0)
    statement.bind(7, isDeletion ? 1 : 0)
    statement.bind(8, Int64(edits))
    statement.bind(9, isHeld ? 1 : 0)
    statement.bind(10, isAlone ? 1 : 0)
    statement.bind(11, optional: number?.value)
    statement.bind(12, optional: groupIndex.map { Int64($0) })
    statement.bind(13, optional: operationIndex.map { Int64($0) })
    statement.bind(14, optional: awaited.map { [UInt8]($0.digest) })
    statement.bind(15, optional: (awaited?.byteCount).map { Int64($0) })
  }

  // Most entries wait for no file, and then the indexes of those that do need not be opened.
  private static let freezing = HotSQL(
    "UPDATE outbox SET number = ?, group_index = ?, operation_index = ? WHERE id = ?")
  private static let freezingOfWaiting = HotSQL(
    """
    UPDATE outbox SET number = ?, group_index = ?, operation_index = ?, awaited = NULL,
      awaited_size = NULL WHERE id = ?
    """)

  /// Writes that the entry is part of request `number`. It no longer waits for a file.
  mutating func freeze(in number: RequestNumber, _ transaction: DeviceTransaction) throws {
    self.number = number
    let isWaiting = awaited != nil
    awaited = nil
    try transaction.statement(isWaiting ? Self.freezingOfWaiting : Self.freezing).run {
      statement in
      statement.bind(1, number.value)
      statement.bind(2, optional: groupIndex.map { Int64($0) })
      statement.bind(3, optional: operationIndex.map { Int64($0) })
      statement.bind(4, optional: id)
    }
  }

  /// Moves the entry to the end of the outbox.
  mutating func enterLast(_ transaction: DeviceTransaction) throws {
    try remove(transaction)
    id = nil
    try store(transaction)
  }

  /// Whether the entry is still in the outbox.
  func isStored(_ db: Database) throws -> Bool {
    try db.number("SELECT EXISTS (SELECT 1 FROM outbox WHERE id = ?)", [id]) > 0
  }

  private static let removal = HotSQL("DELETE FROM outbox WHERE id BETWEEN ? AND ?")

  /// Removes the entry from the outbox.
  func remove(_ transaction: DeviceTransaction) throws {
    guard let id else { return }
    try Self.remove(id...id, transaction)
  }

  /// Removes all entries with these ids from the outbox.
  ///
  /// NB: a trigger runs for each removed entry, so SQLite begins a savepoint for each statement. That took half of the
  /// time of removing one entry, and takes no longer for many.
  static func remove(_ ids: ClosedRange<Int64>, _ transaction: DeviceTransaction) throws {
    try transaction.statement(Self.removal).run { statement in
      statement.bind(1, ids.lowerBound)
      statement.bind(2, ids.upperBound)
    }
  }

  /// Takes the entry out of its request, so that it is sent again. A later entry of the same record becomes part of
  /// this one, at this one's position.
  mutating func returnToOutbox(_ transaction: DeviceTransaction) throws {
    if let name, let later = try Self.unsent(transaction, zone: zone, name: name), later.id != id {
      try later.remove(transaction)
      edits += later.edits
      isAsked = later.isAsked && (isAsked || later.isDeletion)
      isDeletion = later.isDeletion
      isHeld = later.isHeld
    }
    number = nil
    groupIndex = nil
    operationIndex = nil
    awaited = nil
    try store(transaction)
  }
}
