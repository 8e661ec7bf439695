// The delivery of a device's notifications to one connection. Nothing is queued: notifications are read from
// disk, page by page, while the device acknowledges them. A slow device therefore costs this struct and the
// numbers that it has not acknowledged. Live delivery and catching up use the same code; they differ only in
// how much there is to read.

import Records

/// The position of one connection in its device's notifications.
package struct Delivery: Sendable {
  /// The device's row, for this application.
  package let receiver: StoreKey
  /// The number through which all notifications were searched. Higher numbers may concern the device.
  private var scanned: NotificationNumber
  /// The last notification or collapsed notification that was sent, or that the device had before.
  private var lastSent: NotificationNumber
  /// The highest number that is known to concern the device.
  private var newest: NotificationNumber
  /// The numbers that were sent and not acknowledged, ascending. At most
  /// `Limits.unacknowledgedNotifications` and one page more.
  private var unacknowledged: [NotificationNumber] = []
  /// The page that is being read.
  private var reading: NotificationRead?
  /// Whether a page must be read even if `newest` promises none.
  private var mustRead = true
  /// Whether later notifications of the device are being collapsed. They cannot be read until that ends.
  private var isCollapsing = false
  /// Whether the next page without a successor must report that the device has caught up.
  private var mustReportCaughtUp = true
  /// The number through which the store was allowed to delete entries that the device never acknowledged.
  private var released: NotificationNumber
  /// Whether the account lost a permission while the page was read. The page is then read again.
  private var isStale = false

  /// Creates the delivery for a connection that has just asked for notifications.
  package init(_ start: NotificationStart) {
    receiver = start.receiver
    scanned = start.position
    lastSent = start.predecessor
    newest = start.position
    released = start.position
  }

  /// Records that a notification for the device was committed.
  package mutating func committed(_ number: NotificationNumber) {
    newest = max(newest, number)
  }

  /// Makes the next page due although nothing was committed: collapsing has ended, or a page could not be
  /// read.
  package mutating func retry() {
    mustRead = true
    isCollapsing = false
  }

  /// Returns the page to read now; `nil` if a page is being read already, if there is none to read, or if
  /// the device has too many unacknowledged notifications.
  package mutating func nextRead(of identity: SessionIdentity) -> NotificationRead? {
    guard reading == nil, mustRead || (newest > scanned && !isCollapsing),
      unacknowledged.count < Limits.unacknowledgedNotifications
    else { return nil }
    mustRead = false
    reading = NotificationRead(
      receiver: receiver, container: identity.container, account: identity.account,
      accountKey: identity.accountKey, after: scanned, predecessor: lastSent)
    return reading
  }

  /// Whether this is the page that is being read.
  package func isReading(_ read: NotificationRead) -> Bool { reading == read }

  /// Accepts a batch that was read. Returns the page to send, if any.
  package mutating func accept(_ batch: NotificationBatch) -> NotificationPage? {
    reading = nil
    guard !isStale else {
      (isStale, mustRead) = (false, true)
      return nil
    }
    scanned = max(scanned, batch.through)
    mustRead = mustRead || batch.end == .more
    isCollapsing = batch.end == .collapsing
    let sent = batch.collapsed.map(\.last) + batch.notifications.map(\.number)
    unacknowledged += sent
    lastSent = sent.last ?? lastSent
    let isCaughtUp = batch.end == .caughtUp && newest <= scanned && !mustRead
    guard !sent.isEmpty || (isCaughtUp && mustReportCaughtUp) else { return nil }
    mustReportCaughtUp = !isCaughtUp
    return NotificationPage(
      notifications: batch.notifications, collapsed: batch.collapsed, isLevel: isCaughtUp)
  }

  /// The page could not be read. `retry` makes it due again.
  package mutating func readFailed() {
    (reading, isStale) = (nil, false)
  }

  /// The account lost a permission. A page that is being read may contain what it can no longer see, so it
  /// is read again.
  package mutating func invalidateRead() {
    isStale = reading != nil
  }

  /// Returns the number through which the store may delete the device's entries, or `nil` if that has not
  /// changed.
  ///
  /// A device acknowledges only what it was sent. Entries that it may not read would therefore fill its
  /// backlog forever and never let collapsing end. They are released when the device has acknowledged
  /// everything that it was sent.
  package mutating func releaseUnreadable() -> NotificationNumber? {
    guard isCollapsing, unacknowledged.isEmpty, released < scanned else { return nil }
    released = scanned
    return scanned
  }

  /// Records that the device has stored everything up to `number`. Returns the highest sent number that is
  /// newly acknowledged; `nil` if there is none.
  package mutating func acknowledge(_ number: NotificationNumber) -> NotificationNumber? {
    guard let first = unacknowledged.first, first <= number else { return nil }
    let count = unacknowledged.firstIndex { $0 > number } ?? unacknowledged.count
    let through = unacknowledged[count - 1]
    unacknowledged.removeFirst(count)
    return through
  }
}

/// A request to read a page of a device's notifications.
package struct NotificationRead: Hashable, Sendable {
  /// The device's row.
  package let receiver: StoreKey
  /// The application's namespace.
  package let container: StoreKey
  /// The device's account.
  package let account: AccountID
  /// The account's row.
  package let accountKey: StoreKey
  /// The page begins after this number.
  package let after: NotificationNumber
  /// The number of the last notification that the device was sent.
  package let predecessor: NotificationNumber

  package init(
    receiver: StoreKey, container: StoreKey, account: AccountID, accountKey: StoreKey,
    after: NotificationNumber, predecessor: NotificationNumber
  ) {
    self.receiver = receiver
    self.container = container
    self.account = account
    self.accountKey = accountKey
    self.after = after
    self.predecessor = predecessor
  }
}

/// A page of a device's notifications, as read from the store.
package struct NotificationBatch: Sendable {
  /// What follows a page.
  package enum End: Hashable, Sendable {
    /// Nothing, at the time of reading.
    case caughtUp
    /// Another page.
    case more
    /// Notifications that are still being collapsed and cannot be read yet.
    case collapsing
  }

  /// The notifications, by ascending number.
  package let notifications: [ChangeNotification]
  /// Collapsed notifications; their numbers precede those of `notifications`.
  package let collapsed: [CollapsedNotifications]
  /// The number through which the page searched.
  package let through: NotificationNumber
  /// What follows the page.
  package let end: End

  package init(
    notifications: [ChangeNotification], collapsed: [CollapsedNotifications],
    through: NotificationNumber, end: End
  ) {
    self.notifications = notifications
    self.collapsed = collapsed
    self.through = through
    self.end = end
  }
}

/// The position where delivery to a device starts.
package struct NotificationStart: Hashable, Sendable {
  /// The device's row.
  package let receiver: StoreKey
  /// The number after which notifications are read. Higher than the device's own position if the store has
  /// no notifications for it below this number.
  package let position: NotificationNumber
  /// The number that the first page names as its predecessor: the higher of what the device claims to have
  /// and what it acknowledged earlier. A device that claims less than it acknowledged has lost data and sees
  /// the gap. After the broker itself lost notifications, this is what the device claims.
  package let predecessor: NotificationNumber

  package init(
    receiver: StoreKey, position: NotificationNumber, predecessor: NotificationNumber
  ) {
    self.receiver = receiver
    self.position = position
    self.predecessor = predecessor
  }
}
