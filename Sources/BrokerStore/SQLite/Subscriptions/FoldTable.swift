// What is left of notifications when too many wait for a device: for each subscription, that there
// were some, from which number to which, how many, and where their zones stood before the first. A
// fold is open while it grows; it is sent once it is closed, and then it is as it is.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// The `fold` table.
struct FoldTable {
  let db: Database

  /// A zone's row, where it stood before the first change that was folded, and how many were.
  struct Mark {
    let zone: StoreKey
    let before: Revision
    var count: Int64 = 1

    /// Where the zone stood before its change at a revision.
    init(zone: StoreKey, beforeChangeAt revision: Int64) {
      self.init(zone: zone, before: Revision(max(0, revision - 1)))
    }

    init(zone: StoreKey, before: Revision, count: Int64 = 1) {
      (self.zone, self.before, self.count) = (zone, before, count)
    }
  }

  /// A fold as it is sent.
  struct Fold {
    let id: SubscriptionID
    let first: NotificationNumber
    let last: NotificationNumber
    let count: Int64
    /// Empty where there would be too many.
    let marks: [Mark]
  }

  /// Folds one notification. Returns whether that took a new row.
  func add(
    _ number: NotificationNumber, of id: SubscriptionID, receiver: StoreKey, mark: Mark
  ) throws -> Bool {
    let open = try db.first(
      "SELECT first, zones FROM fold WHERE receiver = ? AND is_open = 1 AND id = ?",
      [receiver, id.text]
    ) { (first: $0[0] as Int64, zones: $0[1] as Data) }
    guard let open else {
      try insert(
        Fold(id: id, first: number, last: number, count: 1, marks: [mark]), receiver: receiver,
        isOpen: true)
      return true
    }
    var marks = try Self.marks(packed: [UInt8](open.zones))
    // NB: none means that there were too many, and stays so.
    if let place = marks.firstIndex(where: { $0.zone == mark.zone }) {
      marks[place].count += 1
    } else if !marks.isEmpty {
      marks.append(mark)
    }
    if marks.count > BrokerLimits.zonesPerFold { marks = [] }
    try db.run(
      """
      UPDATE fold SET last = ?, count = count + 1, zones = ?
      WHERE receiver = ? AND is_open = 1 AND id = ? AND first = ?
      """, [number.value, Data(Self.packed(marks)), receiver, id.text, open.first])
    return false
  }

  /// Enters a fold.
  func insert(_ fold: Fold, receiver: StoreKey, isOpen: Bool) throws {
    try db.run(
      "INSERT OR REPLACE INTO fold (receiver, is_open, last, id, first, count, zones) "
        + "VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        receiver, isOpen, fold.last.value, fold.id.text, fold.first.value, fold.count,
        Data(Self.packed(fold.marks)),
      ])
  }

  /// Closes the folds of a device: they can be sent, and what comes next is told again.
  func close(of receiver: StoreKey) throws {
    try db.run("UPDATE fold SET is_open = 0 WHERE receiver = ? AND is_open = 1", [receiver])
  }

  /// Removes the folds of a device up to a number.
  func remove(of receiver: StoreKey, through number: NotificationNumber) throws {
    try db.run("DELETE FROM fold WHERE receiver = ? AND last <= ?", [receiver, number.value])
  }

  /// Removes what is folded of a subscription that was deleted.
  func remove(_ id: SubscriptionID, of owner: SubscriptionBook.Owner) throws {
    try db.run(
      """
      DELETE FROM fold WHERE id = ?
        AND receiver IN (SELECT key FROM receiver WHERE container = ? AND account = ?)
      """, [id.text, owner.container, owner.account])
  }

  /// Takes out of the folds of a device what they say of a zone. A fold that names no zones, because
  /// there were too many, stays as it is.
  func remove(zone: StoreKey, of receiver: StoreKey) throws {
    let rows = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT id, is_open, first, zones FROM fold WHERE receiver = ?"),
      arguments: [receiver])
    for row in rows {
      var marks = try Self.marks(packed: [UInt8](row[3] as Data))
      guard let place = marks.firstIndex(where: { $0.zone == zone }) else { continue }
      let gone = marks.remove(at: place)
      let fold: StatementArguments = [receiver, row[1] as Bool, row[0] as String, row[2] as Int64]
      if marks.isEmpty {
        try db.run(
          "DELETE FROM fold WHERE receiver = ? AND is_open = ? AND id = ? AND first = ?", fold)
      } else {
        try db.run(
          """
          UPDATE fold SET count = count - ?, zones = ?
          WHERE receiver = ? AND is_open = ? AND id = ? AND first = ?
          """, [gone.count, Data(Self.packed(marks))] + fold)
      }
    }
  }

  /// The folds of a device.
  func count(of receiver: StoreKey) throws -> Int {
    try db.first("SELECT count(*) FROM fold WHERE receiver = ?", [receiver]) { $0[0] } ?? 0
  }

  /// The closed folds of a device above a number, by their last.
  func closed(of receiver: StoreKey, after number: NotificationNumber) throws -> [Fold] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id, first, last, count, zones FROM fold
          WHERE receiver = ? AND is_open = 0 AND last > ? ORDER BY last, id
          """), arguments: [receiver, number.value]
    ).map { row in
      Fold(
        id: SubscriptionID(stored: row[0]), first: NotificationNumber(row[1]),
        last: NotificationNumber(row[2]), count: row[3],
        marks: try Self.marks(packed: [UInt8](row[4] as Data)))
    }
  }

  // MARK: Marks

  private static func packed(_ marks: [Mark]) -> [UInt8] {
    var writer = ByteWriter()
    for mark in marks {
      writer.field(1, varint: UInt64(bitPattern: mark.zone))
      writer.field(2, varint: UInt64(bitPattern: mark.before.value))
      writer.field(3, varint: UInt64(bitPattern: mark.count))
    }
    return writer.bytes
  }

  private static func marks(packed bytes: [UInt8]) throws -> [Mark] {
    var reader = ByteReader(bytes[...])
    var marks: [Mark] = []
    while let field = try reader.next() {
      let value = Int64(bitPattern: try field.payload.unsigned())
      guard field.number != 1 else {
        // NB: folds of earlier versions have no counts of their zones.
        marks.append(Mark(zone: value, before: .zero, count: 0))
        continue
      }
      guard let last = marks.popLast() else { continue }
      marks.append(
        Mark(
          zone: last.zone, before: field.number == 2 ? Revision(value) : last.before,
          count: field.number == 3 ? value : last.count))
    }
    return marks
  }
}
