// Builds a page from the items found, and reads the content of its notifications.

import BrokerCore
import Records
import SQLConnections

extension NotificationPageReader {
  /// Builds a page from items in order of their numbers. The collapsed notifications of a page precede its
  /// notifications, so a collapsed one after a notification ends the page.
  mutating func page(
    of items: [Item], end: NotificationBatch.End, through: NotificationNumber
  ) throws -> NotificationBatch {
    var notifications: [ChangeNotification] = []
    var collapsed: [CollapsedNotifications] = []
    var predecessor = read.predecessor
    var byteCount = 0
    for (index, item) in items.enumerated() {
      let isFull =
        notifications.count >= BrokerLimits.notificationsPerPage
        || byteCount >= BrokerLimits.pageBytes
      // NB: a page contains all items up to its last number, so items with the same number share a page.
      let mayEndHere = index > 0 && items[index - 1].number < item.number
      switch item {
      case .collapsed(let entry) where notifications.isEmpty && !(isFull && mayEndHere):
        let message = try collapsedNotifications(entry)
        byteCount += message.weight
        collapsed.append(message)
      case .notification(let number, _, let targets) where !isFull:
        guard let notification = try notification(number, targets, after: predecessor)
        else { continue }
        byteCount += notification.weight
        notifications.append(notification)
      case .collapsed, .notification:
        return NotificationBatch(
          notifications: notifications, collapsed: collapsed, through: items[index - 1].number,
          end: .more)
      }
      predecessor = max(predecessor, item.number)
    }
    return NotificationBatch(
      notifications: notifications, collapsed: collapsed, through: through, end: end)
  }

  private mutating func collapsedNotifications(
    _ entry: CollapsedNotificationTable.Entry
  ) throws -> CollapsedNotifications {
    let zones = try entry.zones.compactMap { summary in
      // NB: a public zone has no feed. Without a zone the message means that the device should query again.
      try zone(summary.zone).flatMap { zone in
        zone.id.isPublic
          ? nil
          : ZonePosition(
            zone: zone.id,
            token: ChangeToken(
              incarnation: zone.incarnation, revision: summary.before, scanStart: .zero))
      }
    }
    return CollapsedNotifications(
      subscription: entry.id, zones: zones, first: entry.first, last: entry.last,
      count: entry.count)
  }

  /// Reads a notification; `nil` if it does not exist or the account may not read it.
  private mutating func notification(
    _ number: NotificationNumber, _ targets: [NotificationTarget],
    after predecessor: NotificationNumber
  ) throws -> ChangeNotification? {
    let row = try db.first(
      """
      SELECT zone, name, type, revision, modified_at, modified_device, modified_number,
        old_fields, new_fields
      FROM notification WHERE number = ?
      """, [number.value]
    ) { $0 }
    guard let row, let zone = try zone(row[0]), try isReadable(row, in: zone) else { return nil }
    let old = try Self.fields(row[7])
    let new = try Self.fields(row[8])
    let firings = try firings(of: targets, old: old, new: new)
    let (account, device) = try origins.origin(of: row[5], in: db)
    return ChangeNotification(
      number: number, predecessor: predecessor,
      database: zone.id.database(for: read.account),
      record: RecordID(zone: zone.id, name: RecordName(stored: row[1])),
      type: RecordType(stored: row[2]), tag: Revision(row[3]),
      modified: Stamp(
        time: Timestamp(microseconds: row[4]),
        origin: Origin(account: account, device: device, request: RequestNumber(row[6]))),
      firings: firings)
  }

  /// Whether the account may read a notification about a public record, whose permissions depend on its type
  /// and creator. They may have changed since. An account may always read about its own changes. Another
  /// account may have created a new record with that name since, so the current record's creator decides.
  private func isReadable(_ row: SQLRow, in zone: Zone) throws -> Bool {
    guard zone.id.isPublic, !publicRights.isReadByAll(RecordType(stored: row[2])) else {
      return true
    }
    if try origins.origin(of: row[5], in: db).0 == read.account { return true }
    let device = try db.first(
      "SELECT created_device FROM record WHERE zone = ? AND name = ?",
      [row[0] as StoreKey, row[1] as String]
    ) { $0[0] as StoreKey }
    return try device.map { try origins.origin(of: $0, in: db).0 } == read.account
  }

  /// Returns the firings of the subscriptions that a change matched. Up to 1,000 of an account's may match,
  /// each with fields to send along. Firings beyond a page's bytes are abridged, so that the page fits a
  /// frame.
  private mutating func firings(
    of targets: [NotificationTarget], old: Fields?, new: Fields?
  ) throws -> [Firing] {
    var firings: [Firing] = []
    var byteCount = 0
    for target in targets {
      guard let reason = target.reason, let form = try form(target.subscription) else { continue }
      let firing = Firing(form, because: reason, old: old, new: new)
      firings.append(byteCount < BrokerLimits.pageBytes ? firing : firing.abridged)
      byteCount += firing.weight
    }
    return firings
  }

  private static func fields(_ bytes: [UInt8]?) throws -> Fields? {
    try bytes.map { try EncodedRecord(stored: $0).fields() }
  }
}

extension ChangeNotification {
  /// The approximate number of bytes in a frame.
  fileprivate var weight: Int {
    firings.reduce(256) { $0 + $1.weight }
  }
}

extension CollapsedNotifications {
  /// The approximate number of bytes in a frame.
  fileprivate var weight: Int { 64 + 64 * zones.count }
}
