// Maintains the backlogs of devices: the notifications that each has not acknowledged. A new notification
// lists its devices in its own row. About a second later a sweep deletes the notifications that all devices
// have acknowledged. It moves the entries of the other devices to rows of their own, so that a reader need
// not search the lists, and collapses entries beyond a device's limit. One sweep does a bounded amount of
// work between two commits.

import BrokerCore
import Records
import SQLConnections

/// Changes device backlogs in one transaction. Call `save()` at the end.
struct BacklogWriter {
  let db: any SQLConnection
  /// The time of the acknowledgements; `nil` if there can be none.
  let now: Timestamp?
  private var permissions: ReadPermissionCache
  private var loaded: [StoreKey: ReceiverTable.Receiver] = [:]
  /// The receivers to write, with whether each has acknowledged something.
  private var changed: [StoreKey: Bool] = [:]
  private var forms: [StoreKey: SubscriptionForm?] = [:]
  private var movesLeft = BrokerLimits.entriesArchivedPerStep
  private(set) var result = CleanedNotifications()

  init(db: any SQLConnection, memory: WriterMemory, now: Timestamp?) {
    self.db = db
    self.now = now
    permissions = ReadPermissionCache(db: db, memory: memory)
  }

  var receivers: ReceiverTable { ReceiverTable(db: db) }
  var collapsed: CollapsedNotificationTable { CollapsedNotificationTable(db: db) }

  /// Applies a sweep, as much of it as one step allows. The result says whether there is more to do.
  mutating func apply(_ sweep: NotificationCleanup) throws -> CleanedNotifications {
    for (receiver, number) in sweep.acknowledged.sorted(by: { $0.key < $1.key }) {
      try acknowledge(receiver, through: number)
    }
    for (receiver, number) in sweep.released.sorted(by: { $0.key < $1.key }) {
      try deleteEntries(of: receiver, through: number)
    }
    try archiveOldNotifications(through: sweep.through ?? NotificationNumber(.max))
    try save()
    try deleteUnusedForms()
    return result
  }

  /// Writes the changed receivers.
  mutating func save() throws {
    for (key, hasAcknowledged) in changed {
      if let receiver = loaded[key] {
        try receivers.update(receiver, now: hasAcknowledged ? now : nil)
      }
    }
    changed = [:]
  }

  mutating func receiver(_ key: StoreKey) throws -> ReceiverTable.Receiver? {
    if let receiver = loaded[key] { return receiver }
    let receiver = try receivers.receiver(key)
    loaded[key] = receiver
    return receiver
  }

  mutating func set(_ receiver: ReceiverTable.Receiver, hasAcknowledged: Bool = false) {
    loaded[receiver.key] = receiver
    changed[receiver.key] = changed[receiver.key] == true || hasAcknowledged
  }

  // MARK: Acknowledging

  /// Records that a device has all its notifications up to `number`.
  mutating func acknowledge(_ key: StoreKey, through number: NotificationNumber) throws {
    guard var receiver = try receiver(key) else { return }
    receiver.acknowledged = max(receiver.acknowledged, number)
    set(receiver, hasAcknowledged: true)
    try deleteEntries(of: key, through: number)
  }

  /// Deletes a device's entries up to `number`, which it has acknowledged or may not read.
  private mutating func deleteEntries(
    of key: StoreKey, through number: NotificationNumber
  ) throws {
    guard var receiver = try receiver(key) else { return }
    receiver.position = max(receiver.position, number)
    if receiver.waiting > 0 {
      let rows = try db.rows(
        """
        SELECT number, count(*) FROM waiting WHERE receiver = ? AND number <= ? GROUP BY number
        """, [key, receiver.position.value])
      for row in rows { receiver.waiting -= try release(row[0], entries: row[1]) }
      try db.run(
        "DELETE FROM waiting WHERE receiver = ? AND number <= ?",
        [key, receiver.position.value])
    }
    try collapsed.delete(of: key, through: receiver.position)
    try resumeDelivery(to: &receiver)
    set(receiver)
  }

  /// Stops collapsing once the device's backlog has shrunk to `waitingToResumeDelivery` entries.
  mutating func resumeDelivery(to receiver: inout ReceiverTable.Receiver) throws {
    guard receiver.isCollapsing, receiver.waiting <= BrokerLimits.waitingToResumeDelivery
    else { return }
    try collapsed.close(of: receiver.key)
    receiver.isCollapsing = false
    result.resumed.append(receiver.key)
  }

  /// Records that a device no longer needs some entries of a notification, and deletes the notification with
  /// its last entry. Returns the number of entries.
  func release(_ number: Int64, entries: Int) throws -> Int {
    try db.run(
      "UPDATE notification SET remaining = remaining - ? WHERE number = ?", [entries, number])
    try deleteIfDelivered(number)
    return entries
  }

  /// Deletes the notification if no device still needs it.
  private func deleteIfDelivered(_ number: Int64) throws {
    try db.run(
      "DELETE FROM notification WHERE number = ? AND remaining <= 0 AND length(targets) = 0",
      [number])
  }

  /// Discards all pending notifications of a device that has been offline past the limit. At its next
  /// connection it gets a collapsed notification for each subscription and resynchronizes.
  mutating func discardBacklog(of key: StoreKey) throws {
    guard var receiver = try receiver(key) else { return }
    let rows = try db.rows(
      "SELECT number, count(*) FROM waiting WHERE receiver = ? GROUP BY number", [key])
    for row in rows { _ = try release(row[0], entries: row[1]) }
    try db.run("DELETE FROM waiting WHERE receiver = ?", [key])
    try collapsed.deleteAll(of: key)
    (receiver.waiting, receiver.isCollapsing, receiver.isBacklogDiscarded) = (0, false, true)
    set(receiver)
  }

  // MARK: Archiving

  /// A notification may list thousands of devices, so only a few are read at once.
  private static let notificationsPerBatch = 64

  /// Moves undelivered entries of old notifications into per-device rows, oldest first.
  private mutating func archiveOldNotifications(through number: NotificationNumber) throws {
    var swept = try db.first("SELECT swept FROM notification_head", []) { $0[0] as Int64 } ?? 0
    let start = swept
    while swept < number.value, !result.isMore {
      let rows = try db.rows(
        """
        SELECT number, zone, revision, targets FROM notification
        WHERE number > ? AND number <= ? ORDER BY number LIMIT \(Self.notificationsPerBatch)
        """, [swept, number.value])
      for row in rows where movesLeft > 0 {
        movesLeft -= 1
        let isComplete = try archive(
          NotificationNumber(row[0]),
          CollapsedNotificationTable.ZoneSummary(zone: row[1], beforeChangeAt: row[2]),
          TargetReader(row[3]))
        if isComplete { swept = row[0] }
      }
      result.isMore = movesLeft <= 0
      guard rows.count == Self.notificationsPerBatch else { break }
    }
    guard swept > start else { return }
    try db.run("UPDATE notification_head SET swept = ?", [swept])
  }

  /// Moves the entries of devices that have not acknowledged a notification. Returns whether all were moved;
  /// entries beyond the step's budget remain in the list. A device's entries are moved together.
  private mutating func archive(
    _ number: NotificationNumber, _ zone: CollapsedNotificationTable.ZoneSummary,
    _ targets: TargetReader
  ) throws -> Bool {
    var targets = targets
    var rest: [NotificationTarget] = []
    var moved = 0
    var last: StoreKey?
    while let target = try targets.next() {
      if !rest.isEmpty || (movesLeft <= 0 && last != target.receiver) {
        rest.append(target)
        continue
      }
      last = target.receiver
      if try archive(target, of: number, zone) { moved += 1 }
    }
    try db.run(
      "UPDATE notification SET remaining = remaining + ?, targets = ? WHERE number = ?",
      [moved, rest.packed, number.value])
    try deleteIfDelivered(number.value)
    return rest.isEmpty
  }

  /// Moves one entry to a row of its own, or collapses it. Returns whether it has a row now.
  private mutating func archive(
    _ target: NotificationTarget, of number: NotificationNumber,
    _ zone: CollapsedNotificationTable.ZoneSummary
  ) throws -> Bool {
    guard var receiver = try receiver(target.receiver), receiver.position < number,
      !receiver.isBacklogDiscarded, let form = try form(target.subscription),
      // NB: a device never acknowledges what it may not read. Such an entry would count against its limit
      // forever.
      try permissions.canRead(zone.zone, receiver.account)
    else { return false }
    movesLeft -= 1
    if form.notification.collapseKey != nil, target.reason != nil {
      try deleteEarlierEntries(of: target.subscription, in: &receiver)
      try resumeDelivery(to: &receiver)
    }
    guard let reason = target.reason, !receiver.isCollapsing,
      receiver.waiting < Limits.waitingNotifications
    else {
      receiver.isCollapsing = true
      set(receiver)
      try collapse(number, of: form.id, receiver: target.receiver, zone)
      return false
    }
    try db.run(
      "INSERT INTO waiting (receiver, number, subscription, reason) VALUES (?, ?, ?, ?)",
      [
        target.receiver, number.value, target.subscription, Int64(reason.rawValue),
      ])
    receiver.waiting += 1
    set(receiver)
    return true
  }

  /// Returns the content of a subscription's version; `nil` if it notifies no longer.
  private mutating func form(_ key: StoreKey) throws -> SubscriptionForm? {
    if let form = forms[key] { return form }
    let form = try SubscriptionTable(db: db).form(key)
    forms[key] = .some(form)
    return form
  }

  /// Deletes a device's pending entries of a subscription with a collapse key: a new one replaces them.
  private func deleteEarlierEntries(
    of subscription: StoreKey, in receiver: inout ReceiverTable.Receiver
  ) throws {
    guard receiver.waiting > 0 else { return }
    let numbers =
      try
      (db.column(
        "SELECT number FROM waiting WHERE receiver = ? AND subscription = ?",
        [receiver.key, subscription]) as [Int64])
    for number in numbers { receiver.waiting -= try release(number, entries: 1) }
    try db.run(
      "DELETE FROM waiting WHERE receiver = ? AND subscription = ?",
      [receiver.key, subscription])
  }

  private mutating func collapse(
    _ number: NotificationNumber, of id: SubscriptionID, receiver: StoreKey,
    _ zone: CollapsedNotificationTable.ZoneSummary
  ) throws {
    let isNew = try collapsed.add(number, of: id, receiver: receiver, zone: zone)
    // An account that keeps saving subscriptions that fire once, under new IDs, would otherwise create any
    // number of entries.
    guard isNew, try collapsed.count(of: receiver) > Limits.subscriptionsPerAccount
    else { return }
    try discardBacklog(of: receiver)
  }

  // MARK: Deleting content

  /// Deletes the content of inactive subscriptions that no remaining notification refers to.
  private mutating func deleteUnusedForms() throws {
    let oldest = try db.first("SELECT min(number) FROM notification", []) { $0[0] as Int64? }
    let isMore = try SubscriptionTable(db: db).deleteUnusedForms(
      below: (oldest ?? nil).map { NotificationNumber($0) } ?? NotificationNumber(.max),
      rowsMaximum: BrokerLimits.entriesArchivedPerStep)
    if isMore { result.isMore = true }
  }
}
