// Assigns request numbers and decides which request is sent next; `Session` does the sending. A request
// gets its number when it is first sent, and numbers have no gaps. It keeps the number across connections
// until its outcome arrives, even if the calling task was cancelled or timed out.

import Records

/// The modify requests that have no outcome yet.
struct Outbox: Sendable {
  struct Request: Sendable {
    let call: UInt64
    let groups: [OperationGroup]
    var number: RequestNumber?
    var isSent = false
  }

  /// The maximum number of requests without an outcome. Further requests throw `requestRateLimited`.
  static let requestsMaximum = 1024

  private(set) var requests: [Request] = []
  /// The last assigned number.
  private(set) var last: RequestNumber
  /// All outcomes up to this number were received.
  private(set) var acknowledged: RequestNumber
  /// Whether the broker asked this device to wait before it sends more requests.
  private(set) var isHeld = false

  init(_ identity: DeviceIdentity) {
    last = RequestNumber(identity.lastNumber)
    acknowledged = RequestNumber(identity.acknowledged)
  }

  var isEmpty: Bool { requests.isEmpty }
  var isFull: Bool { requests.count >= Self.requestsMaximum }

  mutating func add(_ groups: [OperationGroup], call: UInt64) {
    requests.append(Request(call: call, groups: groups))
  }

  /// Returns the request to send next, with its number; `nil` if nothing may be sent now.
  mutating func next() -> (call: UInt64, request: ModifyRequest)? {
    guard !isHeld, requests.count(where: \.isSent) < Limits.requestsInFlight,
      let index = requests.firstIndex(where: { !$0.isSent })
    else { return nil }
    if requests[index].number == nil {
      last = last.next
      requests[index].number = last
    }
    requests[index].isSent = true
    guard let number = requests[index].number else { return nil }
    return (
      requests[index].call,
      ModifyRequest(
        number: number, acknowledged: acknowledged, groups: requests[index].groups)
    )
  }

  /// Prepares to send all requests again on a new connection. `known` is the highest number for which the
  /// broker has an outcome. Requests with higher numbers are renumbered without gaps after it. If `known` is
  /// below a number that this device acknowledged, the broker was restored from a backup.
  mutating func welcomed(lastNumber known: RequestNumber) {
    isHeld = false
    for index in requests.indices { requests[index].isSent = false }
    acknowledged = min(acknowledged, known)
    last = known
    for index in requests.indices {
      guard let number = requests[index].number, number > known else { continue }
      last = last.next
      requests[index].number = last
    }
  }

  /// Starts numbering at 1, because the broker now knows this program as a new device.
  mutating func resetForNewDevice() {
    last = .zero
    acknowledged = .zero
    isHeld = false
    for index in requests.indices {
      requests[index].number = nil
      requests[index].isSent = false
    }
  }

  /// Removes a request whose outcome arrived.
  mutating func answered(call: UInt64) {
    requests.removeAll { $0.call == call }
    let first = requests.lazy.compactMap(\.number).min()
    acknowledged = max(acknowledged, first.map { RequestNumber($0.value - 1) } ?? last)
  }

  /// Removes a request that the broker rejected without using its number. The numbers of all later requests
  /// decrease by one. The broker has applied none of these, because it applies requests in the order of their
  /// numbers.
  mutating func refused(call: UInt64) {
    guard let index = requests.firstIndex(where: { $0.call == call }) else { return }
    let number = requests.remove(at: index).number
    guard let number else { return }
    last = RequestNumber(number.value - 1)
    for later in requests.indices where later >= index && requests[later].number != nil {
      last = last.next
      requests[later].number = last
      requests[later].isSent = false
    }
  }

  /// Holds a request and all later ones, because the broker asked to wait. Returns their calls.
  mutating func postpone(call: UInt64) -> [UInt64] {
    guard let index = requests.firstIndex(where: { $0.call == call }) else { return [] }
    isHeld = true
    for later in index..<requests.count { requests[later].isSent = false }
    return requests[index...].map(\.call)
  }

  /// Allows sending again after `postpone(call:)`.
  mutating func resume() {
    isHeld = false
  }

  /// Removes a request that was never sent. Returns `false` if it was sent before.
  mutating func withdraw(call: UInt64) -> Bool {
    guard let index = requests.firstIndex(where: { $0.call == call }),
      requests[index].number == nil
    else { return false }
    requests.remove(at: index)
    return true
  }
}
