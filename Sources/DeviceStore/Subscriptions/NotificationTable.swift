// Stores pages of notifications. The rows and the position change in one transaction (I8), so a notification that
// arrives several times is applied once. An unknown notification with a number below the position comes from a broker
// that lost its history and numbers notifications from the start. It is stored, and the position follows it.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// The `notification` table.
struct NotificationTable {
  private static let rowsPerRead = 500

  private let transaction: DeviceTransaction
  private var state: NotificationState
  /// The number of new notifications.
  private(set) var kept = 0

  init(_ transaction: DeviceTransaction) throws {
    self.transaction = transaction
    state = try NotificationState.load(transaction.db)
  }

  private var db: Database { transaction.db }

  /// The broker's number of the last stored notification.
  var position: NotificationNumber { state.position }

  /// Stores a page.
  mutating func keep(_ page: NotificationPage) throws {
    for fold in page.collapsed { try keep(fold) }
    for notification in page.notifications { try keep(notification) }
    try state.store(db)
    let oldest = state.last - DeviceLimits.notifications
    guard oldest > 0 else { return }
    try HookTable.note(loss: oldest, db)
    try db.run("DELETE FROM notification WHERE sequence <= ?", [oldest])
  }

  private mutating func keep(_ notification: ChangeNotification) throws {
    // The device does not store records with such names.
    let isStored = !notification.record.name.text.hasControlCharacters
    let wanted = try notification.firings.filter { try isStored && isWanted($0.subscription) }
    guard try !wanted.isEmpty && !isKnown(notification) else {
      state.position = max(state.position, notification.number)
      return
    }
    state.position = notification.number
    for firing in wanted { try insert(firing, of: notification) }
  }

  private func isKnown(_ notification: ChangeNotification) throws -> Bool {
    let record = notification.record
    return try db.number(
      """
      SELECT count(*) FROM notification WHERE number = ? AND owner = ? AND zone_name = ?
        AND name = ? AND tag = ? AND modified = ?
      """,
      [
        notification.number.value, record.zone.owner.column, record.zone.name.column,
        record.name.text, notification.tag.value, notification.modified.column,
      ]) > 0
  }

  /// Whether notifications of a subscription are shown: not if it was deleted on this device, or if it is one of the
  /// application's own, which only cause the device to fetch records.
  private func isWanted(_ id: SubscriptionID) throws -> Bool {
    guard !transaction.rules.ownSubscriptionIDs.contains(id) else { return false }
    return try db.number(
      "SELECT count(*) FROM subscription WHERE id = ? AND pending_change = 2", [id.text])
      == 0
  }

  private mutating func insert(_ firing: Firing, of notification: ChangeNotification) throws {
    state.last += 1
    kept += 1
    let content = firing.content
    try db.run(
      """
      INSERT INTO notification (sequence, number, subscription, reason, scope, owner, zone_name,
        name, type, tag, modified, title, body, badge, sound, category, silent, collapse_key,
        fields, pruned, time)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        state.last, notification.number.value, firing.subscription.text,
        Int(firing.reason.rawValue), Int(notification.database.rawValue),
        notification.record.zone.owner.column, notification.record.zone.name.column,
        notification.record.name.text, notification.type.text, notification.tag.value,
        notification.modified.column, content.title, content.body, content.raisesBadge,
        content.sound, content.category, content.isContentAvailable, content.collapseKey,
        Data(firing.fields.bytes), firing.isPruned, transaction.now.microseconds,
      ])
  }

  /// Stores collapsed notifications. They may arrive again with a higher count; then only the difference is stored.
  /// The count may be unknown.
  private mutating func keep(_ fold: CollapsedNotifications) throws {
    let known = try db.row(
      """
      SELECT count(*) AS rows, coalesce(sum(folded), 0) AS counted FROM notification
      WHERE subscription = ? AND first = ?
      """, [fold.subscription.text, fold.first.value])
    let counted: Int64 = known?["counted"] ?? 0
    let isNews = fold.count > counted || (known?["rows"] ?? 0) == 0
    state.position = max(state.position, fold.last)
    guard try isNews && isWanted(fold.subscription) else { return }
    state.last += 1
    kept += 1
    // Collapsed notifications alert the user if the ones that they replace would have. If the subscription was deleted,
    // its options are unknown, so they do.
    let row = try SubscriptionRow.load(db, fold.subscription)
    let form = (row?.known ?? row?.pendingForm)?.notification
    let isSilent = form.map { $0.title == nil && $0.body == nil } ?? false
    try db.run(
      """
      INSERT INTO notification (sequence, number, subscription, badge, silent, first, folded, time)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        state.last, fold.last.value, fold.subscription.text, form?.raisesBadge ?? true, isSilent,
        fold.first.value,
        max(0, fold.count - counted), transaction.now.microseconds,
      ])
  }

  /// Adds a notification that no subscription caused, after all others.
  mutating func add(_ news: SharingNews) throws {
    state.last += 1
    try db.run(
      """
      INSERT INTO notification (sequence, number, subscription, owner, zone_name, name, type,
        record_title, title, body, badge, time)
      VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)
      """,
      [
        state.last, news.subscription.text, news.zone.owner.column, news.zone.name.column,
        news.name, news.type.text, news.shownName, news.title,
        transaction.rules.sentences.news(news),
        transaction.now.microseconds,
      ])
    try state.store(db)
  }

  // MARK: Showing

  /// Shows notifications whose records are here, in order.
  /// - Parameter readTo: returns the revision through which a zone has been read; `nil` if it is not followed. Without
  ///   this function all notifications are shown.
  /// - Returns: the number of notifications that are shown now, and whether none is left.
  mutating func release(
    readTo: ((ZoneID) -> Revision?)?
  ) throws -> (count: Int, isAll: Bool) {
    var count = 0
    var isAll = false
    // NB: while the first one waits, no other rows are read.
    var limit = 1
    reading: while !isAll {
      let rows = try db.rows(
        "SELECT * FROM notification WHERE sequence > ? ORDER BY sequence LIMIT ?",
        [state.released, limit])
      for row in rows {
        if let readTo, !Self.isHere(row, readTo) { break reading }
        try release(row)
        count += 1
      }
      isAll = rows.count < limit
      limit = Self.rowsPerRead
    }
    if isAll { state.released = state.last }
    try state.store(db)
    try HookTable.reap(now: transaction.now, db)
    return (count, isAll)
  }

  private mutating func release(_ row: Row) throws {
    let sequence: Int64 = row["sequence"]
    state.released = sequence
    let title = try recordTitle(row) ?? ""
    guard !title.isEmpty else { return }
    try db.run("UPDATE notification SET record_title = ? WHERE sequence = ?", [title, sequence])
  }

  private static func isHere(_ row: Row, _ readTo: (ZoneID) -> Revision?) -> Bool {
    guard let tag = row["tag"] as Int64?,
      let owner = AccountID(column: row["owner"]), let name = ZoneName(column: row["zone_name"]),
      let revision = readTo(ZoneID(owner: owner, name: name))
    else { return true }
    return revision >= Revision(tag)
  }

  private func recordTitle(_ row: Row) throws -> String? {
    guard let owner = row["owner"] as Data?, let zoneName = row["zone_name"] as Data?,
      let name = row["name"] as String?
    else { return nil }
    let shown = try db.row(
      """
      SELECT record.type, record.shown FROM record JOIN zone ON zone.id = record.zone
      WHERE zone.owner = ? AND zone.name = ? AND record.name = ? AND shown IS NOT NULL
      """, [owner, zoneName, name])
    if let shown {
      return transaction.rules.title(
        RecordName(stored: name), type: RecordType(stored: shown["type"]),
        fields: try Fields.read(shown["shown"]) ?? Fields())
    }
    return try db.row(
      """
      SELECT trash.title FROM trash JOIN zone ON zone.id = trash.zone
      WHERE zone.owner = ? AND zone.name = ? AND trash.name = ?
      """, [owner, zoneName, name])?["title"]
  }

  /// Reads a row.
  static func view(_ row: Row, device: DeviceID?) throws -> NotificationView {
    var content = NotificationForm()
    content.title = row["title"]
    content.body = row["body"]
    content.raisesBadge = row["badge"]
    content.sound = row["sound"]
    content.category = row["category"]
    content.isContentAvailable = row["silent"]
    content.collapseKey = row["collapse_key"]
    return NotificationView(
      sequence: row["sequence"], subscription: SubscriptionID(stored: row["subscription"]),
      subject: try subject(row, device), content: content,
      time: Timestamp(microseconds: row["time"]), isSeen: row["seen"])
  }

  /// Returns the subject of a notification that no subscription caused; `nil` for others.
  private static func sharing(_ row: Row) -> NotificationView.Subject? {
    let subscription = SubscriptionID(stored: row["subscription"])
    guard let owner = AccountID(column: row["owner"]),
      let zoneName = ZoneName(column: row["zone_name"])
    else { return nil }
    let zone = ZoneID(owner: owner, name: zoneName)
    return switch subscription {
    case .accessRequests: access(row, zone).map { .access($0) }
    case .joinedAccounts: access(row, zone).map { .join($0) }
    case .gainedGroups: .gain(zone, title: row["record_title"])
    case .lostGroups: .loss(zone, title: row["record_title"])
    case .rejectedDeletions: .rejectedDeletion(zone, title: row["record_title"])
    default: nil
    }
  }

  private static func access(_ row: Row, _ zone: ZoneID) -> NotificationView.Access? {
    (row["name"] as String?).flatMap { AccountID($0) }.map {
      NotificationView.Access(zone: zone, account: $0, name: row["record_title"])
    }
  }

  private static func subject(
    _ row: Row, _ device: DeviceID?
  ) throws -> NotificationView.Subject {
    if let count = row["folded"] as Int64? { return .fold(count: count) }
    if let sharing = sharing(row) { return sharing }
    guard let owner = AccountID(column: row["owner"]),
      let zoneName = ZoneName(column: row["zone_name"]),
      let name = row["name"] as String?, let type = row["type"] as String?,
      let modified = try Stamp.read(row["modified"] as Data?)
    else { throw StoreError(.damaged, "A notification's row is damaged.") }
    return .record(
      NotificationView.Change(
        database: DatabaseScope(rawValue: UInt8(clamping: row["scope"] as Int)) ?? .private,
        record: RecordID(
          zone: ZoneID(owner: owner, name: zoneName), name: RecordName(stored: name)),
        type: RecordType(stored: type), tag: Revision(row["tag"] as Int64? ?? 0),
        title: row["record_title"],
        reason: MatchReason(rawValue: UInt8(clamping: row["reason"] as Int)) ?? .updated,
        modified: modified, isOwn: device != nil && modified.origin.device == device,
        // A notification whose fields cannot be read is still shown.
        fields: (try? Fields.read(row["fields"] as Data?)) ?? Fields(), isPruned: row["pruned"]))
  }
}
