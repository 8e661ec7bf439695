// Reads a page of one device's notifications from three sources, in order of their numbers: rows of its own
// (`waiting`), collapsed notifications (`fold`), and the lists of recent notifications that no sweep has
// processed yet (`targets`). Of notifications with the same collapse key only the latest is returned. Those
// of deleted subscriptions and those about zones that the account may not read are left out.

import BrokerCore
import Records
import SQLConnections

/// Reads one page of notifications.
struct NotificationPageReader {
  /// The recent notifications that are searched for one page.
  private static let rowsPerScan = 4096

  enum Item {
    case collapsed(CollapsedNotificationTable.Entry)
    case notification(NotificationNumber, zone: StoreKey, [NotificationTarget])

    var number: NotificationNumber {
      switch self {
      case .collapsed(let entry): entry.last
      case .notification(let number, _, _): number
      }
    }
  }

  struct Zone {
    let id: ZoneID
    let incarnation: Incarnation
  }

  let db: any SQLConnection
  let origins: OriginCache
  let read: NotificationRead
  let publicRights: PublicRights
  private var forms: [StoreKey: SubscriptionForm?] = [:]
  private var zones: [StoreKey: Zone?] = [:]

  init(
    db: any SQLConnection, origins: OriginCache, _ read: NotificationRead,
    publicRights: PublicRights
  ) {
    self.publicRights = publicRights
    self.db = db
    self.origins = origins
    self.read = read
  }

  /// Reads the page.
  /// - Throws: `damaged` if the device is not registered for notifications, or a row is invalid.
  mutating func page() throws -> NotificationBatch {
    let head = try db.first("SELECT number, swept FROM notification_head", []) {
      (number: NotificationNumber($0[0]), swept: NotificationNumber($0[1]))
    }
    let receiver = try ReceiverTable(db: db).receiver(read.receiver)
    guard let head, let receiver else {
      throw StoreError(
        .damaged, "The database has no row for notification receiver \(read.receiver).")
    }
    var items = try archivedItems()
    var end = NotificationBatch.End.caughtUp
    var through = head.number
    if receiver.isCollapsing {
      end = .collapsing
      through = items.last?.number ?? read.after
    } else {
      let (recent, position) = try recentItems(after: max(read.after, head.swept))
      items += recent
      if let position { (end, through) = (.more, position) }
    }
    return try page(of: try visible(items), end: end, through: through)
  }

  // MARK: Sources

  /// Returns the entries in the device's own rows and its collapsed notifications.
  private func archivedItems() throws -> [Item] {
    let rows = try db.rows(
      """
      SELECT waiting.number, subscription, reason, zone FROM waiting
      JOIN notification ON notification.number = waiting.number
      WHERE receiver = ? AND waiting.number > ? ORDER BY waiting.number, subscription
      """, [read.receiver, read.after.value])
    var items: [Item] = []
    var targets: [NotificationTarget] = []
    for (index, row) in rows.enumerated() {
      let number = NotificationNumber(row[0])
      targets.append(
        NotificationTarget(
          receiver: read.receiver, subscription: row[1],
          reason: MatchReason(rawValue: row[2]) ?? .updated))
      guard index + 1 == rows.count || (rows[index + 1][0] as Int64) != number.value else {
        continue
      }
      items.append(.notification(number, zone: row[3], targets))
      targets = []
    }
    let collapsed = try CollapsedNotificationTable(db: db).closed(
      of: read.receiver, after: read.after)
    guard !collapsed.isEmpty else { return items }
    return (collapsed.map(Item.collapsed) + items).sorted { $0.number < $1.number }
  }

  /// Searches the lists of recent notifications for the device. Returns the items found and, if there are
  /// more notifications to search, the number of the last one searched.
  private mutating func recentItems(
    after number: NotificationNumber
  ) throws -> (items: [Item], position: NotificationNumber?) {
    var items: [Item] = []
    var last = number
    var count = 0
    let recent = try db.statement(
      """
      SELECT number, targets, zone, revision FROM notification WHERE number > ? ORDER BY number
      LIMIT \(Self.rowsPerScan)
      """)
    try recent.forEach([number.value]) { row in
      count += 1
      last = NotificationNumber(row.number(0))
      let targets = try ownTargets(in: row.bytes(1))
      let zone = CollapsedNotificationTable.ZoneSummary(
        zone: row.number(2), beforeChangeAt: row.number(3))
      for target in targets where target.reason == nil {
        if let entry = try collapsed(target, last, zone) { items.append(.collapsed(entry)) }
      }
      let evaluated = targets.filter { $0.reason != nil }
      if !evaluated.isEmpty { items.append(.notification(last, zone: zone.zone, evaluated)) }
      return true
    }
    return (items, count == Self.rowsPerScan ? last : nil)
  }

  /// Converts a target whose predicate was not evaluated to a collapsed notification, so that the device
  /// reads the zone's feed.
  private mutating func collapsed(
    _ target: NotificationTarget, _ number: NotificationNumber,
    _ zone: CollapsedNotificationTable.ZoneSummary
  ) throws -> CollapsedNotificationTable.Entry? {
    try form(target.subscription).map {
      CollapsedNotificationTable.Entry(
        id: $0.id, first: number, last: number, count: 1, zones: [zone])
    }
  }

  private func ownTargets(in packed: [UInt8]) throws -> [NotificationTarget] {
    var reader = TargetReader(packed)
    var targets: [NotificationTarget] = []
    while let target = try reader.next(), target.receiver <= read.receiver {
      if target.receiver == read.receiver { targets.append(target) }
    }
    return targets
  }

  // MARK: Filtering

  /// Removes items that the account may not read, those of deleted subscriptions, and those that a later one
  /// with the same collapse key replaces. An unreadable notification replaces none.
  private mutating func visible(_ items: [Item]) throws -> [Item] {
    struct Key: Hashable {
      let id: SubscriptionID
      let text: String
    }
    var seen: Set<Key> = []
    var visible: [Item] = []
    for item in items.reversed() {
      guard case .notification(let number, let zone, let targets) = item else {
        if try hasReadableZone(item) { visible.append(item) }
        continue
      }
      guard try self.zone(zone) != nil else { continue }
      let latest = try targets.filter { target in
        guard let form = try form(target.subscription) else { return false }
        guard let text = form.notification.collapseKey else { return true }
        return seen.insert(Key(id: form.id, text: text)).inserted
      }
      if !latest.isEmpty { visible.append(.notification(number, zone: zone, latest)) }
    }
    return visible.reversed()
  }

  /// Whether the account may read a zone of a collapsed notification. True if it names no zones.
  private mutating func hasReadableZone(_ item: Item) throws -> Bool {
    guard case .collapsed(let entry) = item, !entry.zones.isEmpty else { return true }
    for summary in entry.zones where try zone(summary.zone) != nil { return true }
    return false
  }

  /// Returns the content of a subscription's version; `nil` if it notifies no longer.
  mutating func form(_ key: StoreKey) throws -> SubscriptionForm? {
    if let form = forms[key] { return form }
    let form = try SubscriptionTable(db: db).form(key)
    forms[key] = .some(form)
    return form
  }

  /// Returns a zone; `nil` if the account may not read it now, whatever its permission was at the change.
  mutating func zone(_ key: StoreKey) throws -> Zone? {
    if let zone = zones[key] { return zone }
    let zone = try readableZone(key)
    zones[key] = .some(zone)
    return zone
  }

  private func readableZone(_ key: StoreKey) throws -> Zone? {
    let zone = try db.first(
      """
      SELECT account.id, zone.name, incarnation FROM zone
      JOIN account ON account.key = zone.owner WHERE zone.key = ?
      """, [key]
    ) { row -> Zone? in
      guard let owner = AccountID(bytes: row[0] as [UInt8]),
        let name = ZoneName(bytes: row[1] as [UInt8]),
        let incarnation = Incarnation(bytes: row[2] as [UInt8])
      else { return nil }
      return Zone(id: ZoneID(owner: owner, name: name), incarnation: incarnation)
    }
    guard let zone = zone ?? nil else { return nil }
    if !zone.id.isPublic {
      let access = try ParticipantTable(db: db, memory: nil).access(
        of: read.account, read.accountKey, to: key, owner: zone.id.owner)
      guard access.allowsReading else { return nil }
    }
    return zone
  }
}
