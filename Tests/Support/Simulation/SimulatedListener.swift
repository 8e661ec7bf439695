// A device as far as subscriptions go: it writes numbered requests, saves and deletes subscriptions,
// follows what they tell, and keeps on its disk what it was told and up to which number. Its connection
// can end at any moment, and its last acknowledgements with it.

import BrokerCore
import Matching
import Records

/// A device in a world of subscriptions.
struct SimulatedListener {
  let index: Int
  let key: [UInt8]
  var device: DeviceID?
  var connection: ConnectionID?
  /// What the broker said and has not arrived.
  var down: [BrokerMessage] = []
  /// What was said to the broker and has not arrived.
  var up: [ClientMessage] = []
  /// Whether its socket takes nothing.
  var isStalled = false

  // What it has on its disk.
  private(set) var position = NotificationNumber.none
  private(set) var told: [(notification: ChangeNotification, firing: Firing)] = []
  private(set) var last = RequestNumber.zero
  private(set) var unanswered: [ModifyRequest] = []

  init(index: Int) {
    self.index = index
    key = [UInt8(index + 1)]
  }

  var hello: Hello {
    Hello(
      version: ProtocolVersion.newest, container: "contacts", accountName: "ada",
      deviceName: "listener-\(index)", device: device, deviceKey: key, lastNumber: last,
      acknowledged: .zero, directory: .zero, zones: [])
  }

  /// The connection is gone, and what was under way on it.
  mutating func disconnected() {
    (connection, up, down, isStalled) = (nil, [], [], false)
  }

  /// Takes in what the broker said; what follows is said when it arrives.
  mutating func received(_ message: BrokerMessage) throws {
    switch message {
    case .welcome(let welcome):
      device = welcome.device
      up += unanswered.map(ClientMessage.modify)
      up.append(.followNotifications(position))
    case .outcome(let outcome): unanswered.removeAll { $0.number == outcome.number }
    case .notifications(let page): try take(page)
    default: break
    }
  }

  /// Writes.
  mutating func write(_ groups: [OperationGroup]) {
    last = last.next
    let request = ModifyRequest(number: last, acknowledged: .zero, groups: groups)
    unanswered.append(request)
    if device != nil, connection != nil { up.append(.modify(request)) }
  }

  private mutating func take(_ page: NotificationPage) throws {
    guard page.collapsed.isEmpty else {
      throw InvariantViolation("I10", "listener \(index) was told of folds, and never so much")
    }
    for notification in page.notifications where notification.number > position {
      guard notification.predecessor == position else {
        throw InvariantViolation(
          "I10",
          "listener \(index) was told \(notification.number) behind "
            + "\(notification.predecessor), and had \(position)")
      }
      position = notification.number
      told += notification.firings.map { (notification, $0) }
    }
    up.append(.acknowledgeNotifications(position))
  }
}
