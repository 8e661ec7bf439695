// Collapsed notifications: what remains of a device's notifications when too many are pending. An entry
// represents all collapsed notifications of one subscription: their first and last numbers, their count, and
// the revision of each zone before its first change. An entry is open while it grows. Once it is closed it
// does not change and can be sent.

import BrokerCore
import Records
import SQLConnections

/// The `fold` table.
struct CollapsedNotificationTable {
  let db: any SQLConnection

  /// The collapsed changes of one zone.
  struct ZoneSummary {
    let zone: StoreKey
    /// The zone's revision before the first collapsed change. A device that reads the zone's feed from here
    /// sees all of them.
    let before: Revision
    /// The number of collapsed changes.
    var count: Int64 = 1

    init(zone: StoreKey, beforeChangeAt revision: Int64) {
      self.init(zone: zone, before: Revision(max(0, revision - 1)))
    }

    init(zone: StoreKey, before: Revision, count: Int64 = 1) {
      (self.zone, self.before, self.count) = (zone, before, count)
    }
  }

  /// The collapsed notifications of one subscription.
  struct Entry {
    let id: SubscriptionID
    let first: NotificationNumber
    let last: NotificationNumber
    let count: Int64
    /// The zones of the changes; empty if there are more than `zonesPerCollapsedNotification`.
    let zones: [ZoneSummary]
  }

  // MARK: Writing

  /// Adds one notification to a device's open entry of a subscription. Returns whether that inserted a new
  /// entry.
  func add(
    _ number: NotificationNumber, of id: SubscriptionID, receiver: StoreKey, zone: ZoneSummary
  ) throws -> Bool {
    let open = try db.first(
      "SELECT first, zones FROM fold WHERE receiver = ? AND is_open = 1 AND id = ?",
      [receiver, id.text]
    ) { (first: $0[0] as Int64, zones: $0[1] as [UInt8]) }
    guard let open else {
      try insert(
        Entry(id: id, first: number, last: number, count: 1, zones: [zone]), receiver: receiver,
        isOpen: true)
      return true
    }
    var zones = try Self.unpack(open.zones)
    // NB: an entry without zones exceeded the limit before. It stays without zones, which means all zones.
    if let index = zones.firstIndex(where: { $0.zone == zone.zone }) {
      zones[index].count += 1
    } else if !zones.isEmpty {
      zones.append(zone)
    }
    if zones.count > BrokerLimits.zonesPerCollapsedNotification { zones = [] }
    try db.run(
      """
      UPDATE fold SET last = ?, count = count + 1, zones = ?
      WHERE receiver = ? AND is_open = 1 AND id = ? AND first = ?
      """, [number.value, Self.pack(zones), receiver, id.text, open.first])
    return false
  }

  func insert(_ entry: Entry, receiver: StoreKey, isOpen: Bool) throws {
    try db.run(
      """
      INSERT INTO fold (receiver, is_open, last, id, first, count, zones)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (receiver, is_open, id, first) DO UPDATE
        SET last = excluded.last, count = excluded.count, zones = excluded.zones
      """,
      [
        receiver, isOpen, entry.last.value, entry.id.text, entry.first.value, entry.count,
        Self.pack(entry.zones),
      ])
  }

  /// Closes a device's open entries, so that they can be sent. Later notifications are not added to them.
  func close(of receiver: StoreKey) throws {
    try db.run("UPDATE fold SET is_open = 0 WHERE receiver = ? AND is_open = 1", [receiver])
  }

  // MARK: Deleting

  /// Deletes the entries of a device whose notifications all have numbers up to `number`.
  func delete(of receiver: StoreKey, through number: NotificationNumber) throws {
    try db.run("DELETE FROM fold WHERE receiver = ? AND last <= ?", [receiver, number.value])
  }

  /// Deletes all entries of a device.
  func deleteAll(of receiver: StoreKey) throws {
    try db.run("DELETE FROM fold WHERE receiver = ?", [receiver])
  }

  /// Deletes the entries of a subscription on all of the account's devices.
  func delete(_ id: SubscriptionID, of owner: SubscriptionBook.Owner) throws {
    try db.run(
      """
      DELETE FROM fold WHERE id = ?
        AND receiver IN (SELECT key FROM receiver WHERE container = ? AND account = ?)
      """, [id.text, owner.container, owner.account])
  }

  /// Removes a zone from the entries of a device, and deletes entries without other zones. An entry that
  /// names no zones, because it had too many, does not change.
  func remove(zone: StoreKey, of receiver: StoreKey) throws {
    let rows = try db.rows(
      "SELECT id, is_open, first, zones FROM fold WHERE receiver = ?", [receiver])
    for row in rows {
      var zones = try Self.unpack(row[3])
      guard let index = zones.firstIndex(where: { $0.zone == zone }) else { continue }
      let removed = zones.remove(at: index)
      let entry: SQLArguments = [
        receiver, row[1] as Bool, row[0] as String, row[2] as Int64,
      ]
      if zones.isEmpty {
        try db.run(
          "DELETE FROM fold WHERE receiver = ? AND is_open = ? AND id = ? AND first = ?", entry)
      } else {
        try db.run(
          """
          UPDATE fold SET count = count - ?, zones = ?
          WHERE receiver = ? AND is_open = ? AND id = ? AND first = ?
          """, [removed.count, Self.pack(zones)] + entry)
      }
    }
  }

  // MARK: Reading

  func count(of receiver: StoreKey) throws -> Int {
    try db.first("SELECT count(*) FROM fold WHERE receiver = ?", [receiver]) { $0[0] } ?? 0
  }

  /// Returns the closed entries of a device that end after `number`, in order of their last numbers.
  func closed(of receiver: StoreKey, after number: NotificationNumber) throws -> [Entry] {
    try db.rows(
      """
      SELECT id, first, last, count, zones FROM fold
      WHERE receiver = ? AND is_open = 0 AND last > ? ORDER BY last, id
      """, [receiver, number.value]
    ).map { row in
      Entry(
        id: SubscriptionID(stored: row[0]), first: NotificationNumber(row[1]),
        last: NotificationNumber(row[2]), count: row[3],
        zones: try Self.unpack(row[4]))
    }
  }

  // MARK: Packing

  private static func pack(_ zones: [ZoneSummary]) -> [UInt8] {
    var writer = ByteWriter()
    for zone in zones {
      writer.field(1, varint: UInt64(bitPattern: zone.zone))
      writer.field(2, varint: UInt64(bitPattern: zone.before.value))
      writer.field(3, varint: UInt64(bitPattern: zone.count))
    }
    return writer.bytes
  }

  private static func unpack(_ bytes: [UInt8]) throws -> [ZoneSummary] {
    var reader = ByteReader(bytes[...])
    var zones: [ZoneSummary] = []
    while let field = try reader.next() {
      let value = Int64(bitPattern: try field.payload.unsigned())
      guard field.number != 1 else {
        zones.append(ZoneSummary(zone: value, before: .zero))
        continue
      }
      guard let last = zones.popLast() else { continue }
      zones.append(
        ZoneSummary(
          zone: last.zone, before: field.number == 2 ? Revision(value) : last.before,
          count: field.number == 3 ? value : last.count))
    }
    return zones
  }
}
