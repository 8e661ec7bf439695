// The queue of a program's modify requests. A request gets its number when there is room for it in the window of requests
// without an outcome, and keeps it across connections, even if the calling task was cancelled or timed out.

import Records
import SyncCore

/// The modify requests that have no outcome yet.
struct Outbox: Sendable {
  /// What a refusal by the broker means for the session.
  enum Refusal: Equatable {
    /// Another program uses the identity of this device.
    case clonedDevice
    /// The broker does not know this device.
    case notAuthenticated
    /// Requests are sent again after this time, see `resume`.
    case postponed(milliseconds: Int)
    /// The request of this call has failed. Later ones are sent again with lower numbers.
    case rejected(call: UInt64)
  }

  /// What an outcome means for the session.
  enum Ending: Equatable {
    /// The call has its outcome.
    case ended(call: UInt64)
    /// The outcome was received before.
    case known
    /// The outcome of an earlier request is missing.
    case outOfOrder
  }

  private struct Request {
    let call: UInt64
    let groups: [OperationGroup]
    var number: RequestNumber?
  }

  /// The maximum number of requests without an outcome. Further requests throw `requestRateLimited`.
  static let requestsMaximum = 1024

  private var requests: [Request] = []
  private var window: NumberedRequests

  init(_ identity: DeviceIdentity) {
    window = Self.window(
      lastNumber: RequestNumber(identity.lastNumber),
      acknowledged: RequestNumber(identity.acknowledged))
  }

  private static func window(
    lastNumber: RequestNumber, acknowledged: RequestNumber
  ) -> NumberedRequests {
    NumberedRequests(
      lastNumber: lastNumber, acknowledged: acknowledged, requestsMaximum: Limits.requestsInFlight)
  }

  var isEmpty: Bool { requests.isEmpty }
  var isFull: Bool { requests.count >= Self.requestsMaximum }
  /// The last assigned number.
  var lastNumber: RequestNumber { window.lastNumber }
  /// All outcomes up to this number were received.
  var acknowledged: RequestNumber { window.acknowledged }
  /// The bytes that have to reach the broker before the next outcome can arrive.
  var bytesBeforeOutcome: Int { window.bytesBeforeOutcome }

  /// Whether the request of `call` has a number, so that it was sent at least once and is sent again.
  func isNumbered(call: UInt64) -> Bool {
    requests.contains { $0.call == call && $0.number != nil }
  }

  mutating func add(_ groups: [OperationGroup], call: UInt64) {
    requests.append(Request(call: call, groups: groups))
  }

  /// Returns the requests to send now, with the numbers of their messages.
  mutating func send(in conversation: inout Conversation) -> [(id: UInt64, request: ModifyRequest)]
  {
    guard conversation.isReady else { return [] }
    for index in requests.indices where requests[index].number == nil {
      guard window.hasRoom else { break }
      requests[index].number = window.nextNumber
      window.add(byteCount: requests[index].groups.reduce(0) { $0 + RequestBatch.bytes(of: $1) })
    }
    return window.send(in: &conversation).compactMap { id, number in
      guard let request = requests.first(where: { $0.number == number }) else { return nil }
      return (
        id,
        ModifyRequest(
          number: number, acknowledged: window.acknowledged, groups: request.groups)
      )
    }
  }

  /// The connection ended. All requests are sent again on the next one.
  mutating func disconnected() { window.disconnected() }

  /// The broker welcomed this program.
  /// - Parameter known: The last number for which the broker has an outcome. If it is below a number that this program
  ///   acknowledged, the broker was restored from a backup. Otherwise it can differ from the last number of this program
  ///   because an earlier run ended before it saved its numbers, or before its requests arrived.
  mutating func welcomed(lastNumber known: RequestNumber) {
    window.welcomed()
    guard known < window.acknowledged else { return window.continueNumbers(after: known) }
    let shift = window.acknowledged.value - known.value
    window.renumber(after: known)
    for index in requests.indices {
      requests[index].number = requests[index].number.map { RequestNumber($0.value - shift) }
    }
  }

  /// Starts numbering at 1, because the broker now knows this program as a new device.
  mutating func resetForNewDevice() {
    window = Self.window(lastNumber: .zero, acknowledged: .zero)
    for index in requests.indices { requests[index].number = nil }
  }

  /// An outcome arrived. Removes its request.
  mutating func ended(_ number: RequestNumber) -> Ending {
    switch window.ended(number) {
    case .known: return .known
    case .outOfOrder: return .outOfOrder
    case .ended:
      guard let index = requests.firstIndex(where: { $0.number == number }) else { return .known }
      return .ended(call: requests.remove(at: index).call)
    }
  }

  /// The broker refused a message.
  /// - Parameter replyTo: The number of the message.
  /// - Returns: `nil` if the message did not carry a request.
  mutating func refused(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> Refusal? {
    let number = window.number(sentAs: replyTo)
    switch window.refused(error, replyTo: replyTo, using: &generator) {
    case nil: return nil
    case .clonedDevice: return .clonedDevice
    case .notAuthenticated:
      // The call fails, so the request must not be sent again.
      if let number { _ = remove(number) }
      return .notAuthenticated
    case .postponed(let milliseconds): return .postponed(milliseconds: milliseconds)
    case .removed(let number): return remove(number).map { .rejected(call: $0) }
    }
  }

  /// Removes a request that the broker has not applied. Later ones get new numbers.
  private mutating func remove(_ number: RequestNumber) -> UInt64? {
    window.remove(from: number)
    guard let index = requests.firstIndex(where: { $0.number == number }) else { return nil }
    let call = requests.remove(at: index).call
    for later in requests.indices[index...] { requests[later].number = nil }
    return call
  }

  /// Removes all requests, because their calls have failed. The next welcome says which of them were applied.
  mutating func removeAll() {
    requests = []
    window.remove(from: window.acknowledged.next)
  }

  /// Allows sending again after `postponed`.
  mutating func resume() { window.resume() }

  /// Removes a request that was never sent. Returns `false` if it was sent before.
  mutating func withdraw(call: UInt64) -> Bool {
    guard let index = requests.firstIndex(where: { $0.call == call }),
      requests[index].number == nil
    else { return false }
    requests.remove(at: index)
    return true
  }
}
