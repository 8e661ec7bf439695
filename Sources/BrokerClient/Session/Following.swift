// What a connection that follows something says after each welcome, and what it makes of what comes.
// The place it has reached moves when a message is taken in, so after a lost connection it goes on
// from there and nothing comes twice or not at all.

import Records

/// A stream of the broker's that is followed over connections.
enum Following: Sendable {
  case zone(ZoneFollowing)
  case notifications(NotificationFollowing)

  /// What is to be done with a message.
  enum Verdict: Sendable {
    /// It is nothing of this stream.
    case ignore
    case deliver(BrokerMessage)
    /// The stream ends.
    case fail(RecordsError)
    /// What came does not join on: ask again from where it stands.
    case askAgain
  }

  /// Asks for what comes behind the place that was reached.
  func question(of account: AccountID) -> ClientMessage {
    switch self {
    case .zone(let zone):
      .attach([ZonePosition(zone: zone.zone.resolved(for: account), token: zone.token)])
    case .notifications(let notifications): .followNotifications(notifications.acknowledged)
    }
  }

  mutating func received(_ message: BrokerMessage, account: AccountID) -> Verdict {
    switch self {
    case .zone(var zone):
      let verdict = zone.received(message, account: account)
      self = .zone(zone)
      return verdict
    case .notifications(var notifications):
      let verdict = notifications.received(message)
      self = .notifications(notifications)
      return verdict
    }
  }
}

/// A zone's feed.
struct ZoneFollowing: Sendable {
  let zone: Records.ZoneID
  var token: Records.ChangeToken?

  mutating func received(_ message: BrokerMessage, account: AccountID) -> Following.Verdict {
    switch message {
    case .changes(let stretch):
      guard stretch.zone == zone.resolved(for: account) else { return .ignore }
      return took(stretch)
    case .level(let level, let incarnation, let head, let scanStart, _):
      guard level == zone.resolved(for: account) else { return .ignore }
      token = Records.ChangeToken(
        incarnation: incarnation, revision: head, scanStart: scanStart)
      return .deliver(message)
    case .reset(let reset, let error):
      return reset == zone.resolved(for: account) ? .fail(error) : .ignore
    default: return .ignore
    }
  }

  private mutating func took(_ stretch: ZoneChanges) -> Following.Verdict {
    if let token {
      guard token.incarnation == stretch.incarnation, token.revision == stretch.from else {
        return .askAgain
      }
    } else if stretch.from != .zero {
      return .askAgain
    }
    token = Records.ChangeToken(
      incarnation: stretch.incarnation, revision: stretch.to,
      scanStart: stretch.scanStart ?? token?.scanStart ?? stretch.to)
    return .deliver(.changes(stretch))
  }
}

/// A device's notifications.
struct NotificationFollowing: Sendable {
  private(set) var acknowledged: Records.NotificationNumber
  private var seen: Records.NotificationNumber

  init(after position: Records.NotificationNumber) {
    acknowledged = position
    seen = position
  }

  /// Notes what the program has taken in; returns whether that is new.
  mutating func acknowledge(through number: Records.NotificationNumber) -> Bool {
    guard number > acknowledged else { return false }
    acknowledged = number
    return true
  }

  /// What was sent before and not acknowledged comes again after a lost connection; it is passed on
  /// once.
  mutating func received(_ message: BrokerMessage) -> Following.Verdict {
    guard case .notifications(let page) = message else { return .ignore }
    let seenBefore = seen
    let fresh = NotificationPage(
      notifications: page.notifications.filter { $0.number > seenBefore },
      collapsed: page.collapsed.filter { $0.last > seenBefore }, isLevel: page.isLevel)
    seen = (fresh.notifications.map(\.number) + fresh.collapsed.map(\.last)).reduce(seen, max)
    return .deliver(.notifications(fresh))
  }
}
