// What a device does about subscriptions over a real socket: saves them, follows what they tell,
// keeps the number up to which it is safe here, and applies nothing twice.

import Processes
import Records
import RecordsWire
import Testing

/// A device's own record of what it was told: it outlives connections, as its database would.
struct ToldLedger {
  /// Everything up to here is safe here.
  private(set) var position = NotificationNumber.none
  /// What was told, in order.
  private(set) var told: [ChangeNotification] = []
  private(set) var collapsed: [CollapsedNotifications] = []
  /// How many came a second time.
  private(set) var repeats = 0

  /// Takes in a page: what is new is applied, what is not is passed over.
  mutating func take(_ page: NotificationPage) {
    for fold in page.collapsed where fold.last > position {
      collapsed.append(fold)
      position = fold.last
    }
    for notification in page.notifications {
      guard notification.number > position else {
        repeats += 1
        continue
      }
      #expect(notification.predecessor == position, "a gap before \(notification.number)")
      told.append(notification)
      position = notification.number
    }
  }

  /// The names of the records that were told, in order.
  var names: [String] { told.map(\.record.name.text) }
}

extension WireClient {
  /// Saves a subscription and returns the error, if it was refused.
  @discardableResult
  func subscribe(_ form: SubscriptionForm) async throws -> RecordsError? {
    let answer = try await ask(.saveSubscription(form))
    switch answer {
    case .subscriptionSaved: return nil
    case .error(let error): return error
    default: throw Unexpected(answer)
    }
  }

  /// The next page of notifications.
  func notifications() async throws -> NotificationPage {
    try await first("notifications") {
      if case .notifications(let page) = $0.message { page } else { nil }
    }
  }

  /// Follows from where the ledger stands and takes pages in, acknowledging each, until `isDone`.
  func follow(
    into ledger: inout ToldLedger, until isDone: (ToldLedger, NotificationPage) -> Bool
  ) async throws {
    try await send(.followNotifications(ledger.position))
    try await take(into: &ledger, until: isDone)
  }

  /// Takes pages in, acknowledging each, until `isDone`.
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

  /// The account's subscriptions.
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
