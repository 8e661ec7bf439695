// The window of numbered requests, for a device and for a program that uses the broker directly. Requests are sent in the
// order of their numbers and again, unchanged, until they have an outcome. The broker returns the first outcome again, so
// a lost answer costs a round trip and nothing else.

import Records

/// A request with a number and without an outcome.
package struct NumberedRequest: Hashable, Sendable {
  /// Its number.
  package fileprivate(set) var number: RequestNumber
  /// The size of its message.
  package let byteCount: Int
  /// The number of the message that carried it on this connection, if there was one.
  fileprivate var sentAs: UInt64?
  /// When that message was sent.
  fileprivate var sentTime = Timestamp(microseconds: 0)

  /// Creates a request that was not sent on this connection.
  package init(number: RequestNumber, byteCount: Int) {
    self.number = number
    self.byteCount = byteCount
  }
}

/// The requests without an outcome, and the numbers of requests.
package struct NumberedRequests: Hashable, Sendable {
  /// What an outcome means.
  package enum Ending: Hashable, Sendable {
    /// The first request has its outcome.
    case ended
    /// The outcome was received before.
    case known
    /// The outcome of an earlier request is missing.
    case outOfOrder
  }

  /// What a broker's refusal of a request means. It was not applied, and its number was not used.
  package enum Refusal: Hashable, Sendable {
    /// Another program uses the identity of this device.
    case clonedDevice
    /// The broker does not know this device.
    case notAuthenticated
    /// The request and all later ones are sent again after this time, see `resume`.
    case postponed(milliseconds: Int)
    /// The request and all later ones have left the window, from this number on. The first is the refused one.
    case removed(from: RequestNumber)
  }

  /// How often a request is sent again after an internal error of the broker.
  private static let internalErrorsMaximum = 5

  /// The number that was given last.
  package private(set) var lastNumber: RequestNumber
  /// All outcomes up to this number were received.
  package private(set) var acknowledged: RequestNumber
  private let requestsMaximum: Int
  private let bytesMaximum: Int
  private var requests: [NumberedRequest]
  private var isPostponed = false
  private var internalErrors = 0
  private var backoff = Backoff()

  /// - Parameters:
  ///   - requests: The requests without an outcome, by rising numbers.
  ///   - requestsMaximum: The number of requests without an outcome that the window has room for.
  ///   - bytesMaximum: The bytes of such requests at which there is no room for another one.
  package init(
    lastNumber: RequestNumber, acknowledged: RequestNumber, requests: [NumberedRequest] = [],
    requestsMaximum: Int, bytesMaximum: Int = .max
  ) {
    self.lastNumber = lastNumber
    self.acknowledged = acknowledged
    self.requests = requests
    self.requestsMaximum = requestsMaximum
    self.bytesMaximum = bytesMaximum
  }

  /// Whether there is room for another request; `false` while requests are postponed.
  package var hasRoom: Bool {
    !isPostponed && requests.count < requestsMaximum
      && requests.reduce(0) { $0 + $1.byteCount } < bytesMaximum
  }

  /// The bytes of the requests that were sent on this connection and have no outcome.
  package var bytesUnderWay: Int {
    requests.reduce(0) { $0 + ($1.sentAs == nil ? 0 : $1.byteCount) }
  }

  /// The bytes that have to reach the broker before the next outcome can arrive: those of the first request.
  package var bytesBeforeOutcome: Int {
    requests.first.map { $0.sentAs == nil ? 0 : $0.byteCount } ?? 0
  }

  /// Whether an outcome will probably arrive soon: the first request was sent less than two seconds ago.
  package func expectsOutcome(at now: Timestamp) -> Bool {
    guard !isPostponed, let first = requests.first, first.sentAs != nil else { return false }
    return now.milliseconds(since: first.sentTime) < 2000
  }

  /// How long the first request has been waiting for its outcome, without the time that requests may take on a slow
  /// network; 0 if none was sent.
  package func waitMilliseconds(at now: Timestamp) -> Int {
    guard let first = requests.first, first.sentAs != nil else { return 0 }
    let transfer = Silence.milliseconds(toSend: bytesUnderWay)
    return max(0, now.milliseconds(since: first.sentTime) - transfer)
  }

  /// The number of the next request.
  package var nextNumber: RequestNumber { lastNumber.next }

  /// Adds the request of `nextNumber`.
  /// - Parameter byteCount: The size of its message.
  package mutating func add(byteCount: Int) {
    lastNumber = nextNumber
    requests.append(NumberedRequest(number: lastNumber, byteCount: byteCount))
  }

  /// Returns the requests to send now, with the numbers of their messages.
  package mutating func send(
    in conversation: inout Conversation
  ) -> [(id: UInt64, number: RequestNumber)] {
    guard conversation.isReady, !isPostponed else { return [] }
    return requests.indices.filter { requests[$0].sentAs == nil }.map { index in
      let id = conversation.freshID()
      requests[index].sentAs = id
      requests[index].sentTime = conversation.now
      return (id, requests[index].number)
    }
  }

  /// Forgets what was sent: the connection ended.
  package mutating func disconnected() {
    isPostponed = false
    for index in requests.indices { requests[index].sentAs = nil }
  }

  /// The broker welcomed the client.
  package mutating func welcomed() { backoff.reset() }

  /// An outcome arrived.
  package mutating func ended(_ number: RequestNumber) -> Ending {
    guard let first = requests.first, number >= first.number else { return .known }
    guard number == first.number else { return .outOfOrder }
    requests.removeFirst()
    acknowledged = number
    internalErrors = 0
    backoff.reset()
    return .ended
  }

  /// The broker refused a message.
  /// - Parameter replyTo: The number of the message.
  /// - Returns: `nil` if the message did not carry a request of the window.
  package mutating func refused(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> Refusal? {
    guard replyTo != 0, let index = requests.firstIndex(where: { $0.sentAs == replyTo }) else {
      return nil
    }
    if error.code == .constraintViolation, error.reason == "clonedDevice" { return .clonedDevice }
    if error.code == .notAuthenticated { return .notAuthenticated }
    if error.code == .internalError { internalErrors += 1 }
    if error.code.isTransient
      || error.code == .internalError && internalErrors < Self.internalErrorsMaximum
    {
      return .postponed(milliseconds: postpone(from: index, error, using: &generator))
    }
    internalErrors = 0
    let number = requests[index].number
    remove(from: number)
    return .removed(from: number)
  }

  /// Removes the request of this number and all later ones, which the broker has not applied.
  package mutating func remove(from number: RequestNumber) {
    requests.removeAll { $0.number >= number }
    lastNumber = RequestNumber(number.value - 1)
  }

  /// The request that a message carried on this connection; `nil` if it carried none.
  package func number(sentAs id: UInt64) -> RequestNumber? {
    id == 0 ? nil : requests.first { $0.sentAs == id }?.number
  }

  /// The broker refuses each later request for the same reason, and these answers are ignored.
  ///
  /// NB: a request that is out of order is not the cause: an earlier one never arrived, so all are sent again. An outcome
  /// that arrives for one of them in the meantime still counts.
  private mutating func postpone(
    from index: Int, _ error: RecordsError, using generator: inout some RandomNumberGenerator
  ) -> Int {
    let first = error.reason == "outOfOrder" ? requests.startIndex : index
    for later in requests.indices[first...] { requests[later].sentAs = nil }
    isPostponed = true
    let drawn = backoff.nextMilliseconds(using: &generator)
    return max((error.retryAfterSeconds ?? 0) * 1000, drawn)
  }

  /// Ends the wait after `postponed`.
  package mutating func resume() { isPostponed = false }

  /// Numbers the requests again, from the one after `number`: the broker lost the outcomes after it.
  package mutating func renumber(after number: RequestNumber) {
    acknowledged = number
    lastNumber = number
    for index in requests.indices {
      lastNumber = lastNumber.next
      requests[index] = NumberedRequest(number: lastNumber, byteCount: requests[index].byteCount)
    }
  }

  /// Continues after `number`, the last one that the broker knows, if no request is under way. Later numbers were given to
  /// requests that no longer exist, and no call waits for the outcomes of earlier ones.
  package mutating func continueNumbers(after number: RequestNumber) {
    if requests.isEmpty { renumber(after: number) }
  }
}
