import Matching
import Records

extension Broker {
  // MARK: Subscriptions

  mutating func save(_ form: SubscriptionForm, byteCount: Int, _ context: RequestContext) {
    let form = form.resolved(for: context.identity.account)
    do throws(RecordsError) {
      // An invalid subscription is rejected before it waits for the store, which validates again.
      _ = try CompiledSubscription(form)
      try enqueue(.saveSubscription(form), byteCount: byteCount, context)
    } catch {
      reply(.error(error), to: context)
    }
  }

  // MARK: Following

  mutating func follow(_ position: NotificationNumber, _ context: RequestContext) {
    notifications.restart(context.connection)
    store(.followNotifications(position), context)
  }

  mutating func follow(from start: NotificationStart, _ connection: ConnectionID) {
    guard sessions[connection] != nil else { return }
    notifications.follow(connection, from: start)
    deliverMore(connection)
  }

  mutating func acknowledge(_ number: NotificationNumber, from connection: ConnectionID) {
    notifications.acknowledge(number, by: connection)
    deliverMore(connection)
  }

  // MARK: Delivering

  mutating func deliver(_ notification: NotificationCommit) {
    for connection in notifications.committed(notification) { deliverMore(connection) }
  }

  /// Reads the next page for a connection whose socket is writable.
  mutating func deliverMore(_ connection: ConnectionID) {
    guard let session = sessions[connection], session.socket.isWritable,
      let identity = session.identity,
      let read = notifications.nextRead(for: connection, of: identity)
    else { return }
    actions.append(.read(.notifications(read, connection)))
  }

  /// A page was read; `nil` if it could not be.
  mutating func read(
    _ batch: NotificationBatch?, of read: NotificationRead, _ connection: ConnectionID
  ) {
    guard notifications.isReading(read, for: connection) else { return }
    guard let batch else { return notifications.readFailed(for: connection) }
    if let page = notifications.accept(batch, for: connection) {
      actions.append(.send(connection, replyTo: 0, .notifications(page)))
    }
    deliverMore(connection)
  }

  mutating func resume(_ receivers: [StoreKey]) {
    for connection in notifications.resume(receivers) { deliverMore(connection) }
  }
}
