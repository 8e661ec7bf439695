// Numbered requests on their way: which number each has, what has been sent on this connection, what
// may be acknowledged. Numbers are given when a request is first sent and have no gaps; a request
// keeps its number until it has its outcome, over connections, also when nobody waits for it any
// more. Decides only; `Session` sends.

import Records

/// The requests without an outcome.
struct Outbox: Sendable {
  /// A request.
  struct Request: Sendable {
    let call: UInt64
    let groups: [OperationGroup]
    var number: RequestNumber?
    var isSent = false
  }

  /// Without an outcome at a time. One more is refused with `requestRateLimited`.
  static let requestsMaximum = 1024

  private(set) var requests: [Request] = []
  /// The last number that was given.
  private(set) var last: RequestNumber
  /// Every outcome up to here was taken in.
  private(set) var acknowledged: RequestNumber
  /// The broker asked to wait.
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

  /// The request to be sent next, with its number; `nil` when nothing may be sent now.
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

  /// The broker has outcomes up to `known`. What waits is sent again; numbers it never heard of
  /// begin behind the last it knows, also when that is less than this device remembers: then the
  /// broker lost history.
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

  /// The device is a new one to the broker: what waits is numbered from 1.
  mutating func becameNew() {
    last = .zero
    acknowledged = .zero
    isHeld = false
    for index in requests.indices {
      requests[index].number = nil
      requests[index].isSent = false
    }
  }

  /// A request has its outcome.
  mutating func answered(call: UInt64) {
    requests.removeAll { $0.call == call }
    let first = requests.lazy.compactMap(\.number).min()
    acknowledged = max(acknowledged, first.map { RequestNumber($0.value - 1) } ?? last)
  }

  /// A request was refused and used no number. Those behind it move up; they were not carried out
  /// either, because the broker goes by the numbers.
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

  /// The broker asks to wait with a request, and with all behind it.
  mutating func postpone(call: UInt64) -> [UInt64] {
    guard let index = requests.firstIndex(where: { $0.call == call }) else { return [] }
    isHeld = true
    for later in index..<requests.count { requests[later].isSent = false }
    return requests[index...].map(\.call)
  }

  /// The wait is over.
  mutating func goOn() {
    isHeld = false
  }

  /// Takes back a request that has never been sent; returns whether that was so.
  mutating func withdraw(call: UInt64) -> Bool {
    guard let index = requests.firstIndex(where: { $0.call == call }),
      requests[index].number == nil
    else { return false }
    requests.remove(at: index)
    return true
  }
}
