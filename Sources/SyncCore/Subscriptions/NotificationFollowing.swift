// What the subscriptions told. The device asks for everything behind the last number that is safe with
// it; each notification names its predecessor, so a gap shows and is asked for again. What a page
// holds and the position behind it are stored together, which is why each is applied once; only then
// is it acknowledged.

import Records

/// How far notifications have been read.
struct NotificationReading: Sendable {
  /// Behind so many an acknowledgement is sent at once; behind fewer after a moment, for all of them.
  static let unacknowledgedMaximum = 64
  static let acknowledgementMilliseconds = 500
  /// How long a notification waits for its record.
  static let releaseMilliseconds = 5_000

  /// The last that is stored.
  var position: NotificationNumber
  /// Whether the broker was asked, on this connection.
  var isFollowing = false
  /// Whether it has told, on this connection, all that there was: from then on it tells of everything.
  var isLevel = false
  /// The number of the message that asked last.
  var request: UInt64?
  /// After a gap: the first that did not join on.
  var gap: NotificationNumber?
  /// The last that was acknowledged.
  var acknowledged: NotificationNumber
  var unacknowledged = 0
  var isAcknowledging = false
  /// Whether some wait for their records.
  var holds = false

  init(position: NotificationNumber) {
    self.position = position
    acknowledged = position
  }

  /// Whether whatever is committed from now on will be told, as far as subscriptions ask for it. The
  /// broker tells who has ever followed.
  var isSure: Bool { !isFollowing || isLevel || position != .none }

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

  /// How far a zone has been read; `nil` when it is not followed.
  package func position(in zone: ZoneID) -> Revision? {
    zones[zone].map { $0.token?.revision ?? .zero }
  }

  /// How far a zone has been read, for what waits for its records: those of the public database, which
  /// is not read by revisions, wait until what was told has been fetched.
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
      // What was under way when the broker was asked again.
      guard missing <= gap else { return [] }
      steps.append(.report("The broker has lost notifications of this device."))
    }
    notifications.gap = nil
    if !page.notifications.isEmpty || !page.collapsed.isEmpty {
      steps += [.store(.storeNotifications(relative(page)))] + fetchTold(page)
    }
    guard page.isLevel, !notifications.isLevel else { return steps }
    notifications.isLevel = true
    return steps + beginPublicReading()
  }

  /// Records of the public database, which has no feed, are fetched when somebody is told of them.
  private mutating func fetchTold(_ page: NotificationPage) -> [SyncStep] {
    var names: [RecordName] = []
    var seen: Set<RecordName> = []
    for notification in page.notifications where notification.record.zone.isPublic {
      let name = notification.record.name
      // A broker would refuse the whole question for a name that keeps not to the rule.
      guard !name.text.hasControlCharacters, seen.insert(name).inserted else { continue }
      names.append(name)
    }
    // What was folded is not named.
    return fetchPublicRecords(names) + (page.collapsed.isEmpty ? [] : refreshPublicRecords())
  }

  /// The number of the first notification whose predecessor is not here.
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
        // What was on its way when its zone was lost counts, and tells nobody anything.
        let isLost = lostZones.contains(zone) && notification.database != .public
        return ChangeNotification(
          number: notification.number, predecessor: notification.predecessor,
          database: notification.database,
          record: RecordID(zone: zone, name: notification.record.name),
          type: notification.type, tag: notification.tag, modified: notification.modified,
          firings: isLost ? [] : notification.firings)
      }, collapsed: page.collapsed, isLevel: page.isLevel)
  }

  /// A page is stored, in the transaction under way.
  /// - Parameters:
  ///   - position: the last number that is stored. Lower than before where the broker counts anew.
  ///   - count: how many of its notifications were new.
  package mutating func keptNotifications(
    through position: NotificationNumber, count: Int
  ) -> [SyncStep] {
    notifications.position = position
    notifications.unacknowledged += max(1, count)
    var steps: [SyncStep] = []
    if count > 0, !notifications.holds {
      notifications.holds = true
      steps.append(.wait(.release, milliseconds: NotificationReading.releaseMilliseconds))
    }
    if notifications.unacknowledged >= NotificationReading.unacknowledgedMaximum {
      return steps + acknowledgeNotifications()
    }
    guard !notifications.isAcknowledging else { return steps }
    notifications.isAcknowledging = true
    return steps
      + [.wait(.acknowledgement, milliseconds: NotificationReading.acknowledgementMilliseconds)]
  }

  /// Those that wait for their records, if there are some, are these only.
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

  /// The broker will not tell of notifications; `nil` when something else was refused.
  mutating func refusedFollowing(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep]? {
    guard replyTo != 0, replyTo == notifications.request else { return nil }
    notifications.reset()
    if error.code == .notAuthenticated { return hangUp(because: error, using: &generator) }
    // A broker of an earlier version has nothing to tell.
    guard error.code != .incompatibleVersion else { return beginPublicReading() }
    let drawn = subscriptions.backoff.nextMilliseconds(using: &generator)
    let wait = max(drawn, (error.retryAfterSeconds ?? 0) * 1000)
    let told: [SyncStep] =
      error.code.isTransient ? [] : [.report("The broker rejected a request: \(error.logText).")]
    return told + [.wait(.subscriptions, milliseconds: wait)] + beginPublicReading()
  }

  /// What was put off is tried again.
  mutating func subscriptionsFired() -> [SyncStep] {
    guard conversation.isReady else { return [] }
    let asks = notifications.isFollowing ? [] : followNotifications()
    guard subscriptions.isHoldingBack else { return asks }
    subscriptions.isHoldingBack = false
    subscriptions.mayHaveMore = true
    return asks + [.store(.sendMore)]
  }
}
