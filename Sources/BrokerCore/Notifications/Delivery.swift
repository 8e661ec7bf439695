// How far one connection has been sent its device's notifications. Nothing is queued here: a
// notification is read from disk when the connection can take it, page by page, so what a slow device
// costs is this struct and the numbers it has not acknowledged. Live and catching up are the same
// step; what differs is only how much there is to read.

import Records

/// Where a connection stands in its device's notifications.
package struct Delivery: Sendable {
  /// The device's row, for this application.
  package let receiver: StoreKey
  /// Everything up to here was looked at; what is above may concern the device.
  private var scanned: NotificationNumber
  /// The number of the last notification or fold that was sent, or that the device had before.
  private var lastSent: NotificationNumber
  /// The highest number that is known to concern the device.
  private var known: NotificationNumber
  /// What was sent and not acknowledged, by rising number; at most
  /// `Limits.unacknowledgedNotifications` and a page.
  private var unacknowledged: [NotificationNumber] = []
  /// The page that is being read.
  private var reading: NotificationRead?
  /// Whether the last page ended before there was nothing more.
  private var isBehind = true
  /// Whether what is above is being folded: nothing can be read before that has ended.
  private var isFolding = false
  /// Whether the device has not been told that it has everything.
  private var owesLevel = true
  /// Up to where the store was told that nothing need be kept although it was never acknowledged.
  private var passed: NotificationNumber
  /// Whether rights changed while the page is read: it must be read again.
  private var isStale = false

  /// A connection that begins to follow.
  package init(_ start: NotificationStart) {
    receiver = start.receiver
    scanned = start.position
    lastSent = start.predecessor
    known = start.position
    passed = start.position
  }

  /// Notes that something of this number concerns the device.
  package mutating func concerns(_ number: NotificationNumber) {
    known = max(known, number)
  }

  /// There may be something to read although nothing new was told: folding has ended, or a page
  /// could not be read.
  package mutating func lookAgain() {
    isBehind = true
    isFolding = false
  }

  /// The page to be read now, if there is something to read and the device has taken in enough of
  /// what it was sent.
  package mutating func nextRead(of identity: SessionIdentity) -> NotificationRead? {
    guard reading == nil, isBehind || (known > scanned && !isFolding),
      unacknowledged.count < Limits.unacknowledgedNotifications
    else { return nil }
    isBehind = false
    reading = NotificationRead(
      receiver: receiver, container: identity.container, account: identity.account,
      accountKey: identity.accountKey, after: scanned, predecessor: lastSent)
    return reading
  }

  /// Whether this is the page that is being read.
  package func isReading(_ read: NotificationRead) -> Bool { reading == read }

  /// Takes in a page that was read; returns what is to be sent of it, if anything.
  package mutating func took(_ stretch: NotificationBatch) -> NotificationPage? {
    reading = nil
    guard !isStale else {
      (isStale, isBehind) = (false, true)
      return nil
    }
    scanned = max(scanned, stretch.through)
    isBehind = isBehind || stretch.end == .more
    isFolding = stretch.end == .folding
    let sent = stretch.collapsed.map(\.last) + stretch.notifications.map(\.number)
    unacknowledged += sent
    lastSent = sent.last ?? lastSent
    let isLevel = stretch.end == .level && known <= scanned && !isBehind
    guard !sent.isEmpty || (isLevel && owesLevel) else { return nil }
    owesLevel = !isLevel
    return NotificationPage(
      notifications: stretch.notifications, collapsed: stretch.collapsed, isLevel: isLevel)
  }

  /// The page could not be read; `lookAgain` tries it again.
  package mutating func readFailed() {
    (reading, isStale) = (nil, false)
  }

  /// The account lost a right: a page that is being read may say what was seen with it.
  package mutating func distrustRead() {
    isStale = reading != nil
  }

  /// Up to where nothing need be kept for the device, when that is news. While what comes is folded, a
  /// device that has acknowledged all it was sent must make room, also of what it may not be sent: that
  /// is never acknowledged.
  package mutating func pass() -> NotificationNumber? {
    guard isFolding, unacknowledged.isEmpty, passed < scanned else { return nil }
    passed = scanned
    return scanned
  }

  /// Notes what is safe on the device. Returns up to where that is so, of what it was sent; `nil`
  /// when it says nothing new.
  package mutating func acknowledge(_ number: NotificationNumber) -> NotificationNumber? {
    guard let first = unacknowledged.first, first <= number else { return nil }
    let count = unacknowledged.firstIndex { $0 > number } ?? unacknowledged.count
    let through = unacknowledged[count - 1]
    unacknowledged.removeFirst(count)
    return through
  }
}

/// A page of a device's notifications to be read.
package struct NotificationRead: Hashable, Sendable {
  /// The device's row.
  package let receiver: StoreKey
  /// The application's namespace.
  package let container: StoreKey
  /// Its account.
  package let account: AccountID
  /// Its account's row.
  package let accountKey: StoreKey
  /// What is above this number.
  package let after: NotificationNumber
  /// What the device was sent before.
  package let predecessor: NotificationNumber

  /// Asks for a page.
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

/// A page of a device's notifications as it was read.
package struct NotificationBatch: Sendable {
  /// What comes behind a page.
  package enum End: Hashable, Sendable {
    /// Nothing, as of the moment of reading.
    case level
    /// Another page.
    case more
    /// What is being folded.
    case folding
  }

  /// The notifications, by rising number.
  package let notifications: [ChangeNotification]
  /// The folds before them.
  package let collapsed: [CollapsedNotifications]
  /// Everything up to here was looked at.
  package let through: NotificationNumber
  /// What comes behind.
  package let end: End

  /// A page.
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

/// Where a device stands when it begins to follow.
package struct NotificationStart: Hashable, Sendable {
  /// Its row.
  package let receiver: StoreKey
  /// Up to where it is read on: what it said to have, or less where that is another history's.
  package let position: NotificationNumber
  /// What the broker was told last that the device has. Where that is above what the device says, it
  /// has lost something, and sees the gap.
  package let predecessor: NotificationNumber

  /// A start.
  package init(
    receiver: StoreKey, position: NotificationNumber, predecessor: NotificationNumber
  ) {
    self.receiver = receiver
    self.position = position
    self.predecessor = predecessor
  }
}
