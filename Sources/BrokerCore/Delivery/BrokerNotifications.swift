// How notifications reach those who follow them, and what is done about those who do not. A commit
// only says whom it concerns; what it says is read from disk for each connection that can take it. So
// there is one path for who is here and who was away, and a slow device costs nobody anything.

import Matching
import Records

/// What is kept for the next sweep.
struct Sweeping: Sendable {
  /// Up to where devices have their notifications, since the last sweep.
  var acknowledged: [StoreKey: NotificationNumber] = [:]
  /// Up to where nothing need be kept for devices that are folding, since the last sweep.
  var passed: [StoreKey: NotificationNumber] = [:]
  /// The highest number that was told.
  var highest: NotificationNumber?
  /// The highest number that had been told when the clock last ticked: what is older than a second.
  var old: NotificationNumber?
  /// Whether there may be something to sweep: at the start nobody knows.
  var isDue = true
  /// The sweep that is under way.
  var underWay: NotificationSweep?
  /// Connections whose page could not be read; it is tried again at the next tick.
  var failed: Set<ConnectionID> = []
}

extension Broker {
  // MARK: Subscriptions

  mutating func save(
    _ form: SubscriptionForm, number: UInt64, byteCount: Int, from connection: ConnectionID,
    identity: SessionIdentity
  ) {
    let form = form.resolved(for: identity.account)
    do throws(RecordsError) {
      // What cannot be read is refused here, before anything waits; the store asks again.
      _ = try Subscription(form)
      try queue.add(byteCount, of: connection, account: identity.accountKey)
    } catch {
      actions.append(.send(connection, replyTo: number, .error(error)))
      return
    }
    began(connection)
    actions.append(
      .store(
        .saveSubscription(connection, replyTo: number, identity, form, byteCount: byteCount)))
  }

  // MARK: Following

  mutating func follow(
    _ position: NotificationNumber, number: UInt64, from connection: ConnectionID,
    identity: SessionIdentity
  ) {
    unfollowNotifications(connection)
    sessions[connection]?.acknowledgedNotification = nil
    began(connection)
    actions.append(
      .store(.followNotifications(connection, replyTo: number, identity, position)))
  }

  mutating func follow(from start: NotificationStart, _ connection: ConnectionID) {
    guard sessions[connection] != nil else { return }
    unfollowNotifications(connection)
    sessions[connection]?.delivery = Delivery(start)
    listeners[start.receiver, default: []].insert(connection)
    deliverMore(connection)
  }

  mutating func unfollowNotifications(_ connection: ConnectionID) {
    guard let delivery = sessions[connection]?.delivery else { return }
    sessions[connection]?.delivery = nil
    listeners[delivery.receiver]?.remove(connection)
    if listeners[delivery.receiver]?.isEmpty == true { listeners[delivery.receiver] = nil }
  }

  // MARK: Delivering

  /// Tells those who follow that there is something for them.
  mutating func deliver(_ notification: NotificationCommit) {
    sweeping.isDue = true
    sweeping.highest = max(sweeping.highest ?? .none, notification.number)
    guard !listeners.isEmpty else { return }
    for receiver in notification.receivers {
      for connection in listeners[receiver] ?? [] {
        sessions[connection]?.delivery?.concerns(notification.number)
        deliverMore(connection)
      }
    }
  }

  /// Reads the next page for a connection that can take it.
  mutating func deliverMore(_ connection: ConnectionID) {
    guard let session = sessions[connection], session.isOpen, let identity = session.identity,
      let read = sessions[connection]?.delivery?.nextRead(of: identity)
    else { return }
    actions.append(.read(.notifications(connection, read)))
  }

  mutating func took(
    _ stretch: NotificationStretch, of request: NotificationRead, _ connection: ConnectionID
  ) {
    // NB: meanwhile it may have begun to follow anew, from another position.
    guard sessions[connection]?.delivery?.isReading(request) == true else { return }
    if let page = sessions[connection]?.delivery?.took(stretch) {
      actions.append(.send(connection, replyTo: 0, .notifications(page)))
    }
    settleAcknowledged(connection)
    pass(connection)
    deliverMore(connection)
  }

  mutating func readFailed(_ request: NotificationRead, _ connection: ConnectionID) {
    guard sessions[connection]?.delivery?.isReading(request) == true else { return }
    sessions[connection]?.delivery?.readFailed()
    sweeping.failed.insert(connection)
  }

  // MARK: Acknowledging and sweeping

  mutating func acknowledge(_ number: NotificationNumber, from connection: ConnectionID) {
    let last = sessions[connection]?.acknowledgedNotification ?? .none
    sessions[connection]?.acknowledgedNotification = max(last, number)
    settleAcknowledged(connection)
    pass(connection)
    deliverMore(connection)
  }

  /// NB: a device that is back may acknowledge what it got on its former connection before it is sent
  /// anything on this one. Then that is sent again, and not acknowledged again.
  private mutating func settleAcknowledged(_ connection: ConnectionID) {
    guard let number = sessions[connection]?.acknowledgedNotification,
      let through = sessions[connection]?.delivery?.acknowledge(number),
      let receiver = sessions[connection]?.delivery?.receiver
    else { return }
    sweeping.acknowledged[receiver] = max(sweeping.acknowledged[receiver] ?? .none, through)
    sweeping.isDue = true
  }

  private mutating func pass(_ connection: ConnectionID) {
    guard let through = sessions[connection]?.delivery?.pass(),
      let receiver = sessions[connection]?.delivery?.receiver
    else { return }
    sweeping.passed[receiver] = max(sweeping.passed[receiver] ?? .none, through)
    sweeping.isDue = true
  }

  /// Once a second: acknowledgements are written down together, and what nobody needs goes.
  mutating func sweepNotifications() {
    for connection in sweeping.failed {
      sessions[connection]?.delivery?.lookAgain()
      deliverMore(connection)
    }
    sweeping.failed = []
    beginSweep()
    sweeping.old = sweeping.highest
  }

  private mutating func beginSweep() {
    guard sweeping.isDue, sweeping.underWay == nil else { return }
    let sweep = NotificationSweep(
      acknowledged: sweeping.acknowledged, passed: sweeping.passed,
      through: sweeping.highest == nil ? nil : sweeping.old ?? NotificationNumber.none)
    sweeping.underWay = sweep
    sweeping.isDue = sweeping.old != sweeping.highest
    (sweeping.acknowledged, sweeping.passed) = ([:], [:])
    actions.append(.store(.sweepNotifications(sweep)))
  }

  /// A sweep is done; `nil` when it could not be, and what it was to write down is kept.
  mutating func swept(_ swept: SweptNotifications?) {
    let underWay = sweeping.underWay
    sweeping.underWay = nil
    guard let swept else {
      sweeping.acknowledged.merge(underWay?.acknowledged ?? [:]) { max($0, $1) }
      sweeping.passed.merge(underWay?.passed ?? [:]) { max($0, $1) }
      sweeping.isDue = true
      return
    }
    unfolded(swept.unfolded)
    guard swept.isMore else { return }
    sweeping.isDue = true
    beginSweep()
  }

  /// What was folded for these devices can be sent, and what comes next is told again.
  mutating func unfolded(_ receivers: [StoreKey]) {
    for receiver in receivers {
      for connection in listeners[receiver] ?? [] {
        sessions[connection]?.delivery?.lookAgain()
        deliverMore(connection)
      }
    }
  }
}
