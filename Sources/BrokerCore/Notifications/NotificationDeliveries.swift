// Who follows notifications, and what the store has to be told about deliveries. A commit only names the
// devices it concerns; the notifications themselves are read from disk for each connection that can
// take them. Live delivery and catching up are the same path, and a slow device delays no other.

import Records

/// The connections that follow their device's notifications.
struct NotificationDeliveries: Sendable {
  private var deliveries: [ConnectionID: Delivery] = [:]
  /// The connections of a device, by its row.
  private var connections: [StoreKey: Set<ConnectionID>] = [:]
  /// The highest number that a connection acknowledged since it asked to follow.
  private var acknowledged: [ConnectionID: NotificationNumber] = [:]
  /// The connections whose page could not be read.
  private var failed: Set<ConnectionID> = []
  private var sweep = CleanupAccumulator()

  // MARK: Following

  /// A connection asks to follow: what it followed and acknowledged before no longer counts.
  mutating func restart(_ connection: ConnectionID) {
    end(connection)
    acknowledged[connection] = nil
  }

  mutating func follow(_ connection: ConnectionID, from start: NotificationStart) {
    end(connection)
    deliveries[connection] = Delivery(start)
    connections[start.receiver, default: []].insert(connection)
  }

  /// The connection is closed.
  mutating func remove(_ connection: ConnectionID) {
    restart(connection)
    failed.remove(connection)
  }

  private mutating func end(_ connection: ConnectionID) {
    guard let delivery = deliveries.removeValue(forKey: connection) else { return }
    connections[delivery.receiver]?.remove(connection)
    if connections[delivery.receiver]?.isEmpty == true { connections[delivery.receiver] = nil }
  }

  // MARK: Delivering

  /// A notification was committed. Returns the connections of the devices it concerns.
  mutating func committed(_ notification: NotificationCommit) -> [ConnectionID] {
    sweep.committed(notification.number)
    guard !connections.isEmpty else { return [] }
    let concerned = notification.receivers.flatMap { connections[$0] ?? [] }
    for connection in concerned { deliveries[connection]?.concerns(notification.number) }
    return concerned
  }

  /// The page to read next for a connection; `nil` if there is none, or the device has not acknowledged
  /// enough of what it was sent.
  mutating func nextRead(
    for connection: ConnectionID, of identity: SessionIdentity
  ) -> NotificationRead? {
    deliveries[connection]?.nextRead(of: identity)
  }

  /// Whether a page is the one that is being read for the connection. It is not if the connection has
  /// begun to follow from another position meanwhile.
  func isReading(_ read: NotificationRead, for connection: ConnectionID) -> Bool {
    deliveries[connection]?.isReading(read) == true
  }

  /// Accepts a page that was read. Returns what to send of it.
  mutating func accept(
    _ stretch: NotificationBatch, for connection: ConnectionID
  ) -> NotificationPage? {
    let page = deliveries[connection]?.took(stretch)
    settle(connection)
    return page
  }

  /// The page could not be read. `retryFailed` tries it again.
  mutating func readFailed(for connection: ConnectionID) {
    deliveries[connection]?.readFailed()
    failed.insert(connection)
  }

  /// Makes the connections whose page could not be read try again, and returns them.
  mutating func retryFailed() -> Set<ConnectionID> {
    defer { failed = [] }
    for connection in failed { deliveries[connection]?.lookAgain() }
    return failed
  }

  /// A page that is being read may contain what the account could see before it lost a permission: it is
  /// read again.
  mutating func distrustRead(of connection: ConnectionID) {
    deliveries[connection]?.distrustRead()
  }

  /// Notifications of these devices are no longer collapsed. Returns the connections that can be sent
  /// some.
  mutating func resume(_ receivers: [StoreKey]) -> [ConnectionID] {
    let resumed = receivers.flatMap { connections[$0] ?? [] }
    for connection in resumed { deliveries[connection]?.lookAgain() }
    return resumed
  }

  // MARK: Acknowledging and sweeping

  /// The device has stored everything up to `number`.
  mutating func acknowledge(_ number: NotificationNumber, by connection: ConnectionID) {
    acknowledged[connection] = max(acknowledged[connection] ?? .none, number)
    settle(connection)
  }

  /// NB: a device that reconnects may acknowledge what it received on its former connection before it is
  /// sent anything on this one. That is then sent again, and not acknowledged again.
  private mutating func settle(_ connection: ConnectionID) {
    guard let receiver = deliveries[connection]?.receiver else { return }
    if let number = acknowledged[connection],
      let through = deliveries[connection]?.acknowledge(number)
    {
      sweep.acknowledged(through, by: receiver)
    }
    if let through = deliveries[connection]?.pass() { sweep.passed(through, by: receiver) }
  }

  /// Whether the store has something to write down or to delete.
  var needsCleanup: Bool { sweep.isDue }

  /// Returns what the next sweep does.
  mutating func beginCleanup() -> NotificationCleanup { sweep.begin() }

  /// A sweep is done. If it failed, the next one repeats it.
  mutating func endCleanup(_ outcome: MaintenanceResult.Outcome) {
    if case .done = outcome { sweep.succeeded() } else { sweep.failed() }
  }

  /// What was committed before this second is now old enough to be moved out of the way for absent
  /// devices.
  mutating func secondEnded() { sweep.secondEnded() }
}
