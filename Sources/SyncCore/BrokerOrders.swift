// Requests that a user makes and waits for: to share a group, to invite an account, to join by a link. They do not go
// through the outbox, because without the broker's answer there is nothing to show. Each can be repeated without harm,
// so if an answer is lost, the user is asked to try again.

import Records

/// A request to the broker that is not stored in the outbox.
package enum BrokerOrder: Hashable, Sendable {
  /// A share request.
  case share(SharingRequest)
  /// An account request.
  case account(AccountRequest)
  /// Creates an invitation for another device of the account.
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

/// The answer to a request. Its zones have the ids that they have on this device.
package enum OrderAnswer: Hashable, Sendable {
  /// A share, the preview of a link, or a confirmation.
  case share(ShareAnswer)
  /// The requested accounts; `isWhole` if no more follow.
  case accounts([AccountProfile], isWhole: Bool)
  /// The invitation can be used at these addresses, each HOST:PORT, until its end by the broker's clock.
  case invited(addresses: [String], expires: Timestamp)
  /// The device was removed or renamed.
  case deviceChanged
  /// The account's connected devices.
  case connections([DeviceConnection])
  /// The request was rejected. With `serviceUnavailable`, it is unknown whether the broker carried it out.
  case refused(RecordsError)
}

extension SyncMachine {
  /// Sends a request. The `ordered(id)` step has the answer, immediately if there is no connection.
  /// - Parameter id: an id that is used once.
  package mutating func give(_ order: BrokerOrder, id: UInt64) -> [SyncStep] {
    guard conversation.isReady else { return [.action(.ordered(id: id, .refused(Self.noBroker)))] }
    let message = freshID()
    answers.orders[message] = id
    return [.send(id: message, order.message)]
  }

  /// Ignores the answer to a request, because no caller waits for it any more.
  package mutating func forget(order id: UInt64) {
    answers.orders = answers.orders.filter { $0.value != id }
  }

  static var noBroker: RecordsError {
    RecordsError(
      .serviceUnavailable, "The broker cannot be reached now.",
      hint: "Try again when the device is connected.", reason: "notConnected")
  }

  mutating func ordered(_ answer: OrderAnswer, replyTo: UInt64) -> [SyncStep] {
    guard let id = answers.orders.removeValue(forKey: replyTo) else { return [] }
    return [.action(.ordered(id: id, answer))]
  }

  /// Handles the rejection of a request. Returns `nil` if the broker rejected another message.
  mutating func refusedOrder(_ error: RecordsError, _ replyTo: UInt64) -> [SyncStep]? {
    answers.orders.removeValue(forKey: replyTo).map { [.action(.ordered(id: $0, .refused(error)))] }
  }

  /// Ends all unanswered requests, because the connection ended.
  mutating func endOrders() -> [SyncStep] {
    defer { answers.orders = [:] }
    let lost = RecordsError(
      .serviceUnavailable, "The connection to the broker broke before it answered.",
      hint: "Try again. A repeated request takes effect only once.")
    return answers.orders.values.sorted().map { .action(.ordered(id: $0, .refused(lost))) }
  }

  /// Returns the answer with the ids that its zones have on this device.
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
