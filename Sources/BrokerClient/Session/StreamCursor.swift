// The position of a stream across connections. It advances with each message that the session accepts.
// After a reconnection the stream resumes there, so that no message is lost or delivered twice.

import Records

/// A position in a stream of the broker: a zone's changes, or the device's notifications.
enum StreamCursor: Sendable {
  case zone(ZoneCursor)
  case notifications(NotificationCursor)

  /// What the session does with a received message.
  enum Action: Sendable {
    /// The message belongs to another stream.
    case ignore
    case deliver(BrokerMessage)
    /// The stream ends with this error.
    case fail(RecordsError)
    /// The message does not continue at the cursor: request the stream again from there.
    case requestAgain
  }

  /// Returns the message that requests everything after the cursor.
  func resumeMessage(for account: AccountID) -> ClientMessage {
    switch self {
    case .zone(let zone):
      .attach([ZonePosition(zone: zone.zone.resolved(for: account), token: zone.token)])
    case .notifications(let notifications): .followNotifications(notifications.acknowledged)
    }
  }

  mutating func received(_ message: BrokerMessage, account: AccountID) -> Action {
    switch self {
    case .zone(var zone):
      let action = zone.received(message, account: account)
      self = .zone(zone)
      return action
    case .notifications(var notifications):
      let action = notifications.received(message)
      self = .notifications(notifications)
      return action
    }
  }
}

/// A position in a zone's feed.
struct ZoneCursor: Sendable {
  let zone: Records.ZoneID
  var token: ChangeToken?

  mutating func received(_ message: BrokerMessage, account: AccountID) -> StreamCursor.Action {
    switch message {
    case .changes(let segment):
      guard segment.zone == zone.resolved(for: account) else { return .ignore }
      return apply(segment)
    case .level(let level, let incarnation, let head, let scanStart, _):
      guard level == zone.resolved(for: account) else { return .ignore }
      token = ChangeToken(
        incarnation: incarnation, revision: head, scanStart: scanStart)
      return .deliver(message)
    case .reset(let reset, let error):
      return reset == zone.resolved(for: account) ? .fail(error) : .ignore
    default: return .ignore
    }
  }

  private mutating func apply(_ segment: ZoneChanges) -> StreamCursor.Action {
    if let token {
      guard token.incarnation == segment.incarnation, token.revision == segment.from else {
        return .requestAgain
      }
    } else if segment.from != .zero {
      return .requestAgain
    }
    token = ChangeToken(
      incarnation: segment.incarnation, revision: segment.to,
      scanStart: segment.scanStart ?? token?.scanStart ?? segment.to)
    return .deliver(.changes(segment))
  }
}

/// A position in the device's notifications.
struct NotificationCursor: Sendable {
  private(set) var acknowledged: NotificationNumber
  private var seen: NotificationNumber

  init(after position: NotificationNumber) {
    acknowledged = position
    seen = position
  }

  /// Advances the acknowledged position; returns `false` if `number` was acknowledged before.
  mutating func acknowledge(through number: NotificationNumber) -> Bool {
    guard number > acknowledged else { return false }
    acknowledged = number
    return true
  }

  /// Removes the notifications that were delivered before: after a reconnection the broker sends all
  /// unacknowledged ones again.
  mutating func received(_ message: BrokerMessage) -> StreamCursor.Action {
    guard case .notifications(let page) = message else { return .ignore }
    let seenBefore = seen
    let fresh = NotificationPage(
      notifications: page.notifications.filter { $0.number > seenBefore },
      collapsed: page.collapsed.filter { $0.last > seenBefore }, isLevel: page.isLevel)
    seen = (fresh.notifications.map(\.number) + fresh.collapsed.map(\.last)).reduce(seen, max)
    return .deliver(.notifications(fresh))
  }
}
