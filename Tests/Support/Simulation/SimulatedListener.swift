import BrokerCore
import Matching
import Records

/// A simplified device in a world of subscriptions. It sends numbered requests, saves and deletes
/// subscriptions, follows notifications, and stores those it received with the last number. Its connection
/// can end at any moment, which loses its last acknowledgements.
struct SimulatedListener {
  let index: Int
  let key: [UInt8]
  var device: DeviceID?
  var connection: ConnectionID?
  /// Messages from the broker that have not arrived.
  var down: [BrokerMessage] = []
  /// Messages to the broker that have not arrived.
  var up: [ClientMessage] = []
  /// Whether the device does not read its socket.
  var isStalled = false

  // The state on its disk.
  private(set) var position = NotificationNumber.none
  private(set) var notifications: [(notification: ChangeNotification, firing: Firing)] = []
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

  /// The connection ended, and the messages in transit were lost.
  mutating func disconnected() {
    (connection, up, down, isStalled) = (nil, [], [], false)
  }

  /// Handles a message from the broker and queues the messages that follow.
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

  /// Queues a write request.
  mutating func write(_ groups: [OperationGroup]) {
    last = last.next
    let request = ModifyRequest(number: last, acknowledged: .zero, groups: groups)
    unanswered.append(request)
    if device != nil, connection != nil { up.append(.modify(request)) }
  }

  private mutating func take(_ page: NotificationPage) throws {
    guard page.collapsed.isEmpty else {
      throw InvariantViolation(
        "I10", "listener \(index) received collapsed notifications without a backlog")
    }
    for notification in page.notifications where notification.number > position {
      guard notification.predecessor == position else {
        throw InvariantViolation(
          "I10",
          "listener \(index) received \(notification.number) after "
            + "\(notification.predecessor), and had \(position)")
      }
      position = notification.number
      notifications += notification.firings.map { (notification, $0) }
    }
    up.append(.acknowledgeNotifications(position))
  }
}
