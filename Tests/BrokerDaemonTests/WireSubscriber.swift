// A device's handling of subscriptions over a real socket: it saves them, receives notifications, stores
// the number of the last one, and applies none twice.

import Processes
import Records
import RecordsWire
import Testing

/// A device's record of its notifications. It outlives connections, as the device's database does.
struct ToldLedger {
  /// The number up to which all notifications are stored.
  private(set) var position = NotificationNumber.none
  /// The notifications, in order.
  private(set) var received: [ChangeNotification] = []
  private(set) var collapsed: [CollapsedNotifications] = []
  /// The number of notifications that arrived again.
  private(set) var repeats = 0

  /// Applies the new notifications of a page and skips the known ones.
  mutating func take(_ page: NotificationPage) {
    for notification in page.collapsed where notification.last > position {
      collapsed.append(notification)
      position = notification.last
    }
    for notification in page.notifications {
      guard notification.number > position else {
        repeats += 1
        continue
      }
      #expect(notification.predecessor == position, "a gap before \(notification.number)")
      received.append(notification)
      position = notification.number
    }
  }

  /// The names of the records in the notifications, in order.
  var names: [String] { received.map(\.record.name.text) }
}

extension WireClient {
  /// Saves a subscription and returns the error if the broker refused it.
  @discardableResult
  func subscribe(_ form: SubscriptionForm) async throws -> RecordsError? {
    let answer = try await ask(.saveSubscription(form))
    switch answer {
    case .subscriptionSaved: return nil
    case .error(let error): return error
    default: throw Unexpected(answer)
    }
  }

  /// Returns the next page of notifications.
  func notifications() async throws -> NotificationPage {
    try await first("notifications") {
      if case .notifications(let page) = $0.message { page } else { nil }
    }
  }

  /// Follows from the ledger's position, and applies and acknowledges pages until `isDone`.
  func follow(
    into ledger: inout ToldLedger, until isDone: (ToldLedger, NotificationPage) -> Bool
  ) async throws {
    try await send(.followNotifications(ledger.position))
    try await take(into: &ledger, until: isDone)
  }

  /// Applies and acknowledges pages until `isDone`.
  func take(
    into ledger: inout ToldLedger, until isDone: (ToldLedger, NotificationPage) -> Bool
  ) async throws {
    while true {
      let page = try await notifications()
      ledger.take(page)
      try await send(.acknowledgeNotifications(ledger.position))
      if isDone(ledger, page) { return }
    }
  }

  /// Returns the account's subscriptions.
  func subscriptions() async throws -> [SubscriptionState] {
    let answer = try await ask(.subscriptions(after: nil))
    guard case .subscriptions(let states, true) = answer else { throw Unexpected(answer) }
    return states
  }
}

extension SubscriptionForm {
  /// A query for notes.
  static func notes(
    _ predicate: String = "TRUEPREDICATE", id: String = "notes", arguments: [Value] = [],
    device: DeviceID? = nil, _ change: (inout NotificationForm) -> Void = { _ in }
  ) -> SubscriptionForm {
    var notification = NotificationForm()
    change(&notification)
    return SubscriptionForm(
      id: SubscriptionID(stored: id), device: device,
      kind: .query(
        type: RecordType(stored: "Note"),
        predicate: PredicateText(predicate, arguments: arguments), zone: nil),
      notification: notification)
  }
}
