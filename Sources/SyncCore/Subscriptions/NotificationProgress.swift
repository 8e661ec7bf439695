// Receives notifications. The device asks for all notifications after the last one that it has stored. Each names its
// predecessor, so the device detects gaps and asks for the missing notifications again. A page and its position are
// stored in one transaction, so each notification is applied once. The device acknowledges it after that.

import Records

/// The device's position in its notifications.
struct NotificationProgress: Sendable {
  /// The number of unacknowledged notifications that are acknowledged at once.
  static let unacknowledgedMaximum = 64
  /// The delay after which fewer notifications are acknowledged together.
  static let acknowledgementMilliseconds = 500
  /// How long a notification waits for its record.
  static let releaseMilliseconds = 5_000

  /// The number of the last stored notification.
  var position: NotificationNumber
  /// Whether the device has asked for notifications on this connection.
  var isFollowing = false
  /// Whether the device has received all earlier notifications on this connection. From then on it receives new ones
  /// as they happen.
  var isLevel = false
  /// The correlation number of the last message that asked for notifications.
  var request: UInt64?
  /// The number of the first notification after a gap.
  var gap: NotificationNumber?
  /// The number of the last acknowledged notification.
  var acknowledged: NotificationNumber
  var unacknowledged = 0
  var isAcknowledging = false
  /// Whether notifications wait for their records.
  var holds = false

  init(position: NotificationNumber) {
    self.position = position
    acknowledged = position
  }

  /// Whether the broker will notify the device about all changes from now on that match its subscriptions. The broker
  /// stores notifications for every device that has ever asked for them. Also true if the broker does not support
  /// notifications.
  var coversFutureChanges: Bool { !isFollowing || isLevel || position != .none }

  mutating func reset() {
    isFollowing = false
    isLevel = false
    request = nil
    gap = nil
  }
}

extension SyncMachine {
  /// Whether notifications wait for their records.
  package var holdsNotifications: Bool { notifications.holds }

  /// The revision through which a zone has been read; `nil` if the device does not follow the zone.
  package func position(in zone: ZoneID) -> Revision? {
    feeds[zone].map { $0.token?.revision ?? .zero }
  }

  /// The revision through which a zone has been read, for notifications that wait for their records. The public
  /// database is not read by revisions; its notifications wait until the records they name have been fetched.
  package func readTo(_ zone: ZoneID) -> Revision? {
    guard zone.isPublic else { return position(in: zone) }
    return publicReading.isFetching ? .zero : nil
  }

  mutating func followNotifications() -> [SyncStep] {
    let id = freshID()
    notifications.isFollowing = true
    notifications.request = id
    notifications.acknowledged = notifications.position
    notifications.unacknowledged = 0
    return [.send(id: id, .followNotifications(notifications.position))]
  }

  mutating func read(_ page: NotificationPage) -> [SyncStep] {
    guard notifications.isFollowing else { return [] }
    var steps: [SyncStep] = []
    if let missing = firstAfterGap(in: page) {
      guard let gap = notifications.gap else {
        notifications.gap = missing
        return [.report("Notifications are missing; fetching them again.")] + followNotifications()
      }
      // Notifications that were in flight when the device asked again.
      guard missing <= gap else { return [] }
      steps.append(.report("The broker has lost notifications of this device."))
    }
    notifications.gap = nil
    if !page.notifications.isEmpty || !page.collapsed.isEmpty {
      steps += [.store(.storeNotifications(relative(page)))] + fetchChanged(page)
    }
    guard page.isLevel, !notifications.isLevel else { return steps }
    notifications.isLevel = true
    return steps + beginPublicReading()
  }

  /// Fetches the records of the public database that the page names, because that database has no feed.
  private mutating func fetchChanged(_ page: NotificationPage) -> [SyncStep] {
    var names: [RecordName] = []
    var seen: Set<RecordName> = []
    for notification in page.notifications where notification.record.zone.isPublic {
      let name = notification.record.name
      // The broker would reject the whole fetch for one invalid name.
      guard !name.text.hasControlCharacters, seen.insert(name).inserted else { continue }
      names.append(name)
    }
    // Collapsed notifications name no records.
    return fetchPublicRecords(names) + (page.collapsed.isEmpty ? [] : refreshPublicRecords())
  }

  /// The number of the first notification whose predecessor is missing.
  private func firstAfterGap(in page: NotificationPage) -> NotificationNumber? {
    var last = notifications.position
    for fold in page.collapsed { last = max(last, fold.last) }
    for notification in page.notifications {
      if notification.number > last, notification.predecessor > last { return notification.number }
      last = max(last, notification.number)
    }
    return nil
  }

  private func relative(_ page: NotificationPage) -> NotificationPage {
    NotificationPage(
      notifications: page.notifications.map { notification in
        let zone = relative(notification.record.zone)
        // A notification of a lost zone is counted but not shown. The broker sends notifications independently of the
        // directory, so one about a zone that was restored can come before the directory names the zone again.
        let isBeforeLoss = feeds.lost[zone].map { notification.tag <= $0 } ?? false
        let isLost = isBeforeLoss && notification.database != .public
        return ChangeNotification(
          number: notification.number, predecessor: notification.predecessor,
          database: notification.database,
          record: RecordID(zone: zone, name: notification.record.name),
          type: notification.type, tag: notification.tag, modified: notification.modified,
          firings: isLost ? [] : notification.firings)
      }, collapsed: page.collapsed, isLevel: page.isLevel)
  }

  /// Records that a page was stored in the current transaction.
  /// - Parameters:
  ///   - position: the number of the last stored notification. It is lower than before if the broker lost its history
  ///     and numbers notifications from the start.
  ///   - count: the number of new notifications on the page.
  package mutating func keptNotifications(
    through position: NotificationNumber, count: Int
  ) -> [SyncStep] {
    notifications.position = position
    notifications.unacknowledged += max(1, count)
    var steps: [SyncStep] = []
    if count > 0, !notifications.holds {
      notifications.holds = true
      steps.append(.wait(.release, milliseconds: NotificationProgress.releaseMilliseconds))
    }
    if notifications.unacknowledged >= NotificationProgress.unacknowledgedMaximum {
      return steps + acknowledgeNotifications()
    }
    guard !notifications.isAcknowledging else { return steps }
    notifications.isAcknowledging = true
    return steps
      + [.wait(.acknowledgement, milliseconds: NotificationProgress.acknowledgementMilliseconds)]
  }

  /// Records that notifications were released.
  /// - Parameter isAll: whether none still waits for its record.
  package mutating func releasedNotifications(isAll: Bool) {
    notifications.holds = !isAll
  }

  mutating func acknowledgeNotifications() -> [SyncStep] {
    notifications.isAcknowledging = false
    guard conversation.isReady, notifications.isFollowing,
      notifications.acknowledged != notifications.position
    else { return [] }
    notifications.acknowledged = notifications.position
    notifications.unacknowledged = 0
    return [.send(id: freshID(), .acknowledgeNotifications(notifications.position))]
  }

  /// Handles the rejection of the request for notifications. Returns `nil` if the broker rejected another message.
  mutating func refusedFollowing(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep]? {
    guard replyTo != 0, replyTo == notifications.request else { return nil }
    notifications.reset()
    if error.code == .notAuthenticated { return hangUp(because: error, using: &generator) }
    let drawn = subscriptions.backoff.nextMilliseconds(using: &generator)
    let wait = max(drawn, (error.retryAfterSeconds ?? 0) * 1000)
    let reports: [SyncStep] =
      error.code.isTransient ? [] : [.report("The broker rejected a request: \(error.logText).")]
    return reports + [.wait(.subscriptions, milliseconds: wait)] + beginPublicReading()
  }

  /// Repeats deferred requests: for notifications, and pending subscription changes.
  mutating func subscriptionsFired() -> [SyncStep] {
    guard conversation.isReady else { return [] }
    let asks = notifications.isFollowing ? [] : followNotifications()
    guard subscriptions.isHoldingBack else { return asks }
    subscriptions.isHoldingBack = false
    subscriptions.mayHaveMore = true
    return asks + [.store(.sendMore)]
  }
}
