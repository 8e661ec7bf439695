// The delivery of notifications to connections. A commit only names the devices that it concerns; the
// notifications are read from disk, for each connection whose socket is writable. Live delivery and catching
// up are the same path, and a slow device delays no other.

import Records

/// The connections that receive notifications, and the acknowledgments that the store has yet to record.
struct NotificationDeliveries: Sendable {
  private var deliveries: [ConnectionID: Delivery] = [:]
  /// The connections of a device, by its row.
  private var connections: [StoreKey: Set<ConnectionID>] = [:]
  /// The highest number that a connection has acknowledged since it last asked for notifications.
  private var acknowledged: [ConnectionID: NotificationNumber] = [:]
  /// The connections whose page could not be read.
  private var failed: Set<ConnectionID> = []
  private var cleanup = CleanupAccumulator()

  // MARK: Following

  /// A connection asks for notifications. What it received and acknowledged before no longer counts.
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
    cleanup.committed(notification.number)
    guard !connections.isEmpty else { return [] }
    let concerned = notification.receivers.flatMap { connections[$0] ?? [] }
    for connection in concerned { deliveries[connection]?.committed(notification.number) }
    return concerned
  }

  /// The page to read next for a connection; `nil` if there is none, or the device has not acknowledged
  /// enough of those sent before.
  mutating func nextRead(
    for connection: ConnectionID, of identity: SessionIdentity
  ) -> NotificationRead? {
    deliveries[connection]?.nextRead(of: identity)
  }

  /// Whether a page is the one that is being read for the connection. It is not if the connection has
  /// asked for notifications from another position meanwhile.
  func isReading(_ read: NotificationRead, for connection: ConnectionID) -> Bool {
    deliveries[connection]?.isReading(read) == true
  }

  /// Accepts a batch that was read. Returns the page to send, if any.
  mutating func accept(
    _ batch: NotificationBatch, for connection: ConnectionID
  ) -> NotificationPage? {
    let page = deliveries[connection]?.accept(batch)
    settle(connection)
    return page
  }

  /// The page could not be read. `retryFailed` makes it due again.
  mutating func readFailed(for connection: ConnectionID) {
    deliveries[connection]?.readFailed()
    failed.insert(connection)
  }

  /// Makes the connections whose page could not be read try again, and returns them.
  mutating func retryFailed() -> Set<ConnectionID> {
    defer { failed = [] }
    for connection in failed { deliveries[connection]?.retry() }
    return failed
  }

  /// The account lost a permission. A page that is being read may contain what it can no longer see, so it
  /// is read again.
  mutating func invalidateRead(of connection: ConnectionID) {
    deliveries[connection]?.invalidateRead()
  }

  /// Notifications of these devices are no longer collapsed. Returns the devices' connections.
  mutating func resume(_ receivers: [StoreKey]) -> [ConnectionID] {
    let resumed = receivers.flatMap { connections[$0] ?? [] }
    for connection in resumed { deliveries[connection]?.retry() }
    return resumed
  }

  // MARK: Acknowledging and cleaning up

  /// The device has stored everything up to `number`.
  mutating func acknowledge(_ number: NotificationNumber, by connection: ConnectionID) {
    acknowledged[connection] = max(acknowledged[connection] ?? .none, number)
    settle(connection)
  }

  /// Applies the latest acknowledgment to the notifications that were sent.
  ///
  /// NB: a device that reconnects may acknowledge notifications of its former connection before this one has
  /// sent any. They are then sent again, but the device does not acknowledge them again.
  private mutating func settle(_ connection: ConnectionID) {
    guard let receiver = deliveries[connection]?.receiver else { return }
    if let number = acknowledged[connection],
      let through = deliveries[connection]?.acknowledge(number)
    {
      cleanup.acknowledged(through, by: receiver)
    }
    if let through = deliveries[connection]?.releaseUnreadable() {
      cleanup.released(through, by: receiver)
    }
  }

  /// Whether the store has acknowledgments to record or notifications to delete.
  var needsCleanup: Bool { cleanup.isDue }

  /// Returns the work of the next cleanup.
  mutating func beginCleanup() -> NotificationCleanup { cleanup.begin() }

  /// A cleanup has ended. If it failed, the next one repeats its work.
  mutating func endCleanup(_ outcome: MaintenanceResult.Outcome) {
    if case .done = outcome { cleanup.succeeded() } else { cleanup.failed() }
  }

  /// A second has ended. Notifications committed before it are now old enough to be archived for absent
  /// devices.
  mutating func secondEnded() { cleanup.secondEnded() }
}
