// A page of one device's notifications, from wherever they are: moved to rows of its own, folded, or
// still in the lists of the latest changes. All of it lies in the order of numbers. Of those with the
// same collapse key only the latest is told; of a deleted subscription none.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// Reads one page.
struct NotificationReading {
  /// The latest changes that are looked through for one page.
  private static let rowsPerScan = 4096

  private enum Item {
    case fold(FoldTable.Fold)
    case told(NotificationNumber, zone: StoreKey, [NotificationTarget])

    var number: NotificationNumber {
      switch self {
      case .fold(let fold): fold.last
      case .told(let number, _, _): number
      }
    }
  }

  private struct Place {
    let id: ZoneID
    let incarnation: Incarnation
  }

  private let db: Database
  private let origins: OriginCache
  private let read: NotificationRead
  private let publicRights: PublicRights
  private var forms: [StoreKey: SubscriptionForm?] = [:]
  private var places: [StoreKey: Place?] = [:]

  init(
    db: Database, origins: OriginCache, _ read: NotificationRead, publicRights: PublicRights
  ) {
    self.publicRights = publicRights
    self.db = db
    self.origins = origins
    self.read = read
  }

  /// The page.
  mutating func stretch() throws -> NotificationStretch {
    let head = try db.first("SELECT number, swept FROM notification_head", []) {
      (number: NotificationNumber($0[0]), swept: NotificationNumber($0[1]))
    }
    let receiver = try ReceiverTable(db: db).receiver(read.receiver)
    guard let head, let receiver else {
      throw StoreError(.damaged, "Device \(read.receiver) is not among those that are told.")
    }
    var items = try moved()
    var end = NotificationStretch.End.level
    var through = head.number
    if receiver.isFolding {
      end = .folding
      through = items.last?.number ?? read.after
    } else {
      let (latest, reached) = try latest(after: max(read.after, head.swept))
      items += latest
      if let reached { (end, through) = (.more, reached) }
    }
    return try page(of: try withoutCollapsed(items), end: end, through: through)
  }

  // MARK: Finding

  /// What was moved out of the way.
  private func moved() throws -> [Item] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT waiting.number, subscription, reason, zone FROM waiting
          JOIN notification ON notification.number = waiting.number
          WHERE receiver = ? AND waiting.number > ? ORDER BY waiting.number, subscription
          """), arguments: [read.receiver, read.after.value])
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
      items.append(.told(number, zone: row[3], targets))
      targets = []
    }
    let folds = try FoldTable(db: db).closed(of: read.receiver, after: read.after)
    guard !folds.isEmpty else { return items }
    return (folds.map(Item.fold) + items).sorted { $0.number < $1.number }
  }

  /// What the latest changes' lists have for the device, and how far they were looked through if
  /// there are more.
  private mutating func latest(
    after number: NotificationNumber
  ) throws -> (items: [Item], reached: NotificationNumber?) {
    let statement = try db.cachedStatement(
      sql: """
        SELECT number, targets, zone, revision FROM notification WHERE number > ? ORDER BY number
        LIMIT \(Self.rowsPerScan)
        """)
    statement.setUncheckedArguments([number.value])
    var items: [Item] = []
    var last = number
    var count = 0
    let rows = try Row.fetchCursor(statement)
    defer { withExtendedLifetime(rows) {} }
    while let row = try rows.next() {
      count += 1
      last = NotificationNumber(row[0])
      let targets = try own(in: [UInt8](row[1] as Data))
      let mark = FoldTable.Mark(zone: row[2], beforeChangeAt: row[3])
      for target in targets where target.reason == nil {
        if let fold = try fold(of: target, last, mark) { items.append(.fold(fold)) }
      }
      let known = targets.filter { $0.reason != nil }
      if !known.isEmpty { items.append(.told(last, zone: row[2], known)) }
    }
    return (items, count == Self.rowsPerScan ? last : nil)
  }

  /// A target whose predicate was not evaluated, as a fold: the device has to read the zone.
  private mutating func fold(
    of target: NotificationTarget, _ number: NotificationNumber, _ mark: FoldTable.Mark
  ) throws -> FoldTable.Fold? {
    try form(target.subscription).map {
      FoldTable.Fold(id: $0.id, first: number, last: number, count: 1, marks: [mark])
    }
  }

  private func own(in packed: [UInt8]) throws -> [NotificationTarget] {
    var reader = TargetReader(packed)
    var targets: [NotificationTarget] = []
    while let target = try reader.next(), target.receiver <= read.receiver {
      if target.receiver == read.receiver { targets.append(target) }
    }
    return targets
  }

  /// Without what is told again later under the same collapse key, and what nobody is to hear. What
  /// may not be read takes nothing with it.
  private mutating func withoutCollapsed(_ items: [Item]) throws -> [Item] {
    struct Key: Hashable {
      let id: SubscriptionID
      let text: String
    }
    var seen: Set<Key> = []
    var kept: [Item] = []
    for item in items.reversed() {
      guard case .told(let number, let zone, let targets) = item else {
        if try isAboutPlaces(item) { kept.append(item) }
        continue
      }
      guard try place(zone) != nil else { continue }
      let latest = try targets.filter { target in
        guard let form = try form(target.subscription) else { return false }
        guard let text = form.notification.collapseKey else { return true }
        return seen.insert(Key(id: form.id, text: text)).inserted
      }
      if !latest.isEmpty { kept.append(.told(number, zone: zone, latest)) }
    }
    return kept.reversed()
  }

  /// Whether a fold is about anything that may be read; one that names no zones is.
  private mutating func isAboutPlaces(_ item: Item) throws -> Bool {
    guard case .fold(let fold) = item, !fold.marks.isEmpty else { return true }
    for mark in fold.marks where try place(mark.zone) != nil { return true }
    return false
  }

  // MARK: Writing out

  private mutating func page(
    of items: [Item], end: NotificationStretch.End, through: NotificationNumber
  ) throws -> NotificationStretch {
    var notifications: [ChangeNotification] = []
    var collapsed: [CollapsedNotifications] = []
    var predecessor = read.predecessor
    var byteCount = 0
    for (index, item) in items.enumerated() {
      let isFull =
        notifications.count >= BrokerLimits.notificationsPerPage
        || byteCount >= BrokerLimits.pageBytes
      // NB: a page says up to which number it goes, so two of one number are in the same.
      let mayEndHere = index > 0 && items[index - 1].number < item.number
      switch item {
      case .fold(let fold) where notifications.isEmpty && !(isFull && mayEndHere):
        let told = try self.collapsed(fold)
        byteCount += told.weight
        collapsed.append(told)
      case .told(let number, _, let targets) where !isFull:
        guard let told = try notification(number, targets, after: predecessor) else { continue }
        byteCount += told.weight
        notifications.append(told)
      case .fold, .told:
        return NotificationStretch(
          notifications: notifications, collapsed: collapsed, through: items[index - 1].number,
          end: .more)
      }
      predecessor = max(predecessor, item.number)
    }
    return NotificationStretch(
      notifications: notifications, collapsed: collapsed, through: through, end: end)
  }

  private mutating func collapsed(_ fold: FoldTable.Fold) throws -> CollapsedNotifications {
    let zones = try fold.marks.compactMap { mark in
      // NB: the public zone has no changes to be read; without it the fold says to ask again.
      try place(mark.zone).flatMap { place in
        place.id.isPublic
          ? nil
          : ZonePosition(
            zone: place.id,
            token: ChangeToken(
              incarnation: place.incarnation, revision: mark.before, scanStart: .zero))
      }
    }
    return CollapsedNotifications(
      subscription: fold.id, zones: zones, first: fold.first, last: fold.last, count: fold.count)
  }

  private mutating func notification(
    _ number: NotificationNumber, _ targets: [NotificationTarget],
    after predecessor: NotificationNumber
  ) throws -> ChangeNotification? {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT zone, name, type, revision, modified_at, modified_device, modified_number,
            old_fields, new_fields
          FROM notification WHERE number = ?
          """), arguments: [number.value])
    guard let row, let place = try place(row[0]), try isReadable(row, in: place) else { return nil }
    let old = try Self.fields(row[7])
    let new = try Self.fields(row[8])
    let firings = try firings(of: targets, old: old, new: new)
    let (account, device) = try origins.origin(of: row[5], in: db)
    return ChangeNotification(
      number: number, predecessor: predecessor,
      database: place.id.database(for: read.account),
      record: RecordID(zone: place.id, name: RecordName(stored: row[1])),
      type: RecordType(stored: row[2]), tag: Revision(row[3]),
      modified: Stamp(
        time: Timestamp(microseconds: row[4]),
        origin: Origin(account: account, device: device, request: RequestNumber(row[6]))),
      firings: firings)
  }

  /// Whether the account may be told, where rights belong to records: they may be others since the
  /// change was made. What it did itself it may always hear; a record of that name that somebody made
  /// since is another one.
  private func isReadable(_ row: Row, in place: Place) throws -> Bool {
    guard place.id.isPublic, !publicRights.isReadByAll(RecordType(stored: row[2])) else {
      return true
    }
    if try origins.origin(of: row[5], in: db).0 == read.account { return true }
    let device = try db.first(
      "SELECT created_device FROM record WHERE zone = ? AND name = ?",
      [row[0] as StoreKey, row[1] as String]
    ) { $0[0] as StoreKey }
    return try device.map { try origins.origin(of: $0, in: db).0 } == read.account
  }

  /// What the subscriptions say. A thousand of them may speak of one change, each with all it wants
  /// sent along: beyond a page's bytes they say less, so that the page fits a frame.
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

  private static func fields(_ bytes: Data?) throws -> Fields? {
    try bytes.map { try EncodedRecord(stored: [UInt8]($0)).fields() }
  }

  private mutating func form(_ key: StoreKey) throws -> SubscriptionForm? {
    if let form = forms[key] { return form }
    let form = try SubscriptionTable(db: db).form(key)
    forms[key] = .some(form)
    return form
  }

  /// The zone, as long as the account may read it: what it may not read any more it is not told of.
  private mutating func place(_ zone: StoreKey) throws -> Place? {
    if let place = places[zone] { return place }
    let place = try readablePlace(zone)
    places[zone] = .some(place)
    return place
  }

  private func readablePlace(_ zone: StoreKey) throws -> Place? {
    let place = try db.first(
      """
      SELECT account.id, zone.name, incarnation FROM zone
      JOIN account ON account.key = zone.owner WHERE zone.key = ?
      """, [zone]
    ) { row -> Place? in
      guard let owner = AccountID(bytes: row[0] as Data),
        let name = ZoneName(bytes: row[1] as Data),
        let incarnation = Incarnation(bytes: row[2] as Data)
      else { return nil }
      return Place(id: ZoneID(owner: owner, name: name), incarnation: incarnation)
    }
    guard let place = place ?? nil else { return nil }
    if !place.id.isPublic {
      let access = try ParticipantTable(db: db, memory: nil).access(
        of: read.account, read.accountKey, to: zone, owner: place.id.owner)
      guard access.allowsReading else { return nil }
    }
    return place
  }
}

extension ChangeNotification {
  /// About what it takes in a frame.
  fileprivate var weight: Int {
    firings.reduce(256) { $0 + $1.weight }
  }
}

extension CollapsedNotifications {
  /// About what it takes in a frame.
  fileprivate var weight: Int { 64 + 64 * zones.count }
}
