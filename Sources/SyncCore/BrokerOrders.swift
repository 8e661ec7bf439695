// What a person asks of the broker and waits for: to share a group, to let somebody in, to come in by
// a link. Nothing of it waits in the outbox, because without the broker's answer there is nothing to
// show; each may be given again, so one whose answer was lost is simply told to be.

import Records

/// Something asked of the broker at once.
package enum BrokerOrder: Hashable, Sendable {
  /// About a share.
  case share(SharingRequest)
  /// About accounts.
  case account(AccountRequest)
  /// Makes an invitation for another device of the account.
  case invite(InvitationOffer)
  /// Removes or renames a device of the account.
  case device(DeviceRequest)
  /// Looks up the account's connected devices.
  case connections

  var message: ClientMessage {
    switch self {
    case .share(let order): .share(order)
    case .account(let order): .account(order)
    case .invite(let offer): .invite(offer)
    case .device(let request): .device(request)
    case .connections: .connections
    }
  }
}

/// What came of an order. Zones are named as this device names them.
package enum OrderAnswer: Hashable, Sendable {
  /// A share, what a link leads to, or that it is done.
  case share(ShareAnswer)
  /// The accounts asked about; `isWhole` where none come behind them.
  case accounts([AccountProfile], isWhole: Bool)
  /// The invitation can be used at these addresses, each HOST:PORT, until its end by the broker's clock.
  case invited(addresses: [String], expires: Timestamp?)
  /// The device was removed or renamed.
  case deviceChanged
  /// The account's connected devices.
  case connections([DeviceConnection])
  /// It was not done, or nobody knows whether it was: `serviceUnavailable`.
  case refused(RecordsError)
}

extension SyncMachine {
  /// Gives an order. The answer is `ordered(id)`, at once when there is no broker.
  /// - Parameter id: used once.
  package mutating func give(_ order: BrokerOrder, id: UInt64) -> [SyncStep] {
    guard conversation.isReady else { return [.action(.ordered(id: id, .refused(Self.noBroker)))] }
    let message = freshID()
    orders[message] = id
    return [.send(id: message, order.message)]
  }

  /// Nobody waits for the answer any more.
  package mutating func forget(order id: UInt64) {
    orders = orders.filter { $0.value != id }
  }

  static var noBroker: RecordsError {
    RecordsError(
      .serviceUnavailable, "The broker cannot be reached now.",
      hint: "Try again when contactsctl status says live.")
  }

  mutating func ordered(_ answer: OrderAnswer, replyTo: UInt64) -> [SyncStep] {
    guard let id = orders.removeValue(forKey: replyTo) else { return [] }
    return [.action(.ordered(id: id, answer))]
  }

  /// The broker refused an order; `nil` when it was none.
  mutating func refusedOrder(_ error: RecordsError, _ replyTo: UInt64) -> [SyncStep]? {
    orders.removeValue(forKey: replyTo).map { [.action(.ordered(id: $0, .refused(error)))] }
  }

  /// The connection is gone, and with it all answers.
  mutating func endOrders() -> [SyncStep] {
    defer { orders = [:] }
    let lost = RecordsError(
      .serviceUnavailable, "The connection to the broker broke before it answered.",
      hint: "Try again. A repeated request takes effect only once.")
    return orders.values.sorted().map { .action(.ordered(id: $0, .refused(lost))) }
  }

  /// The answer with its zone as this device calls it.
  func relative(_ answer: ShareAnswer) -> ShareAnswer {
    switch answer {
    case .done: .done
    case .share(let share):
      .share(
        Share(
          zone: relative(share.zone), title: share.title,
          publicPermission: share.publicPermission, link: share.link,
          participants: share.participants, requests: share.requests))
    case .preview(let preview):
      .preview(
        SharePreview(
          zone: relative(preview.zone), title: preview.title, ownerName: preview.ownerName,
          ownerDisplayName: preview.ownerDisplayName,
          permission: preview.permission, recordCount: preview.recordCount,
          isAccepted: preview.isAccepted))
    }
  }
}
