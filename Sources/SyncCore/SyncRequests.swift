// The window of numbered requests. They are sent in the order of their numbers and sent again, as
// they were frozen, until they have an outcome; the broker gives the first outcome again, so a lost
// answer costs a round trip and nothing else.

import Records

/// A frozen request without an outcome.
package struct WindowRequest: Hashable, Sendable {
  /// Its number.
  var number: RequestNumber
  /// The size of its message.
  let byteCount: Int
  /// The correlation number under which it was sent on this connection, if it was.
  var sentAs: UInt64?

  /// A request that was not sent on this connection.
  package init(number: RequestNumber, byteCount: Int) {
    self.number = number
    self.byteCount = byteCount
  }
}

extension SyncMachine {
  /// How many more requests may be frozen now; 0 unless the broker can be spoken to.
  package var freeRequests: Int {
    guard connection == .ready, !isHoldingBack else { return 0 }
    return max(0, Self.windowRequests - requests.count)
  }

  /// Whether edits of this zone may be frozen: what the broker has is known, so that what can be
  /// merged is merged before it is sent. A zone that is not followed yet is one made here.
  package func mayFreeze(_ zone: ZoneID) -> Bool {
    zones[zone]?.isLevel ?? true
  }

  /// Whether everything that the broker had of a followed zone when it said so is here.
  package func isLevel(_ zone: ZoneID) -> Bool { zones[zone]?.isLevel == true }

  /// The number that the next request gets.
  package var nextNumber: RequestNumber { lastNumber.next }

  /// The request of `nextNumber` was frozen and stored.
  /// - Parameter byteCount: The size of its message.
  package mutating func froze(byteCount: Int) -> [SyncStep] {
    lastNumber = nextNumber
    requests.append(WindowRequest(number: lastNumber, byteCount: byteCount))
    return sendUnsent()
  }

  mutating func sendUnsent() -> [SyncStep] {
    guard connection == .ready, !isHoldingBack else { return [] }
    var steps: [SyncStep] = []
    for index in requests.indices where requests[index].sentAs == nil {
      let id = freshID()
      requests[index].sentAs = id
      steps.append(.sendRequest(id: id, requests[index].number))
    }
    return steps
  }

  // MARK: Answers

  mutating func ended(
    _ outcome: ModifyOutcome, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    guard let first = requests.first, outcome.number >= first.number else { return [] }
    guard outcome.number == first.number else {
      return [.report("An outcome is out of order; reconnecting.")]
        + hangUp(because: nil, using: &generator)
    }
    requests.removeFirst()
    acknowledged = outcome.number
    internalErrors = 0
    resendBackoff.reset()
    noticeAssets(in: outcome)
    return [.keepOutcome(outcome), .send(id: freshID(), .acknowledge(outcome.number))]
  }

  /// Something was refused as a whole; nothing was done and no number used.
  mutating func refused(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    if let index = requests.firstIndex(where: { $0.sentAs == replyTo && replyTo != 0 }) {
      return refused(error, requestAt: index, using: &generator)
    }
    if let answered = refusedQuestion(replyTo) { return answered }
    if let answered = refusedOrder(error, replyTo) { return answered }
    if let steps = assetRefused(error, replyTo: replyTo) { return steps }
    if let steps = refusedWanted(replyTo) { return steps }
    if let steps = refusedPublicReading(error, replyTo: replyTo, using: &generator) { return steps }
    if let steps = refusedWish(error, replyTo: replyTo, using: &generator) { return steps }
    if let steps = refusedFollowing(error, replyTo: replyTo, using: &generator) { return steps }
    let asked = waits.filter { $0.value == .asked(checkpoint: replyTo) }.keys
    for id in asked { waits[id] = .wanted }
    if targets == .asked(checkpoint: replyTo) { targets = .wanted }
    if replyTo == directoryRequest { directoryRequest = nil }
    if error.code == .notAuthenticated { return hangUp(because: error, using: &generator) }
    return error.code.isTransient
      ? [] : [.report("The broker rejected a request: \(error.logText).")]
  }

  private mutating func refused(
    _ error: RecordsError, requestAt index: Int,
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    let number = requests[index].number
    if error.code == .constraintViolation, error.reason == "clonedDevice" {
      return takeNewIdentity(using: &generator)
    }
    if error.code == .notAuthenticated { return hangUp(because: error, using: &generator) }
    if error.code == .internalError { internalErrors += 1 }
    if error.code.isTransient || error.code == .internalError && internalErrors < 5 {
      return holdBack(from: index, error, using: &generator)
    }
    internalErrors = 0
    requests.removeSubrange(index...)
    lastNumber = RequestNumber(number.value - 1)
    return [.thaw(from: number, error)]
  }

  /// Sends this request and all later ones again after a while; their own refusals, which come
  /// for the same reason, find nobody waiting.
  ///
  /// NB: one that came out of order is not where the trouble is: an earlier one never arrived, so
  /// all are sent again. An outcome that comes for one of them meanwhile ends it all the same.
  private mutating func holdBack(
    from index: Int, _ error: RecordsError, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    let first = error.reason == "outOfOrder" ? requests.startIndex : index
    for later in requests.indices[first...] { requests[later].sentAs = nil }
    isHoldingBack = true
    let asked = (error.retryAfterSeconds ?? 0) * 1000
    let drawn = resendBackoff.nextMilliseconds(using: &generator)
    return [.wait(.resend, milliseconds: max(asked, drawn))]
  }

  // MARK: Identity

  mutating func renumber(after number: RequestNumber) -> [SyncStep] {
    acknowledged = number
    lastNumber = number
    for index in requests.indices {
      lastNumber = lastNumber.next
      requests[index] = WindowRequest(
        number: lastNumber, byteCount: requests[index].byteCount)
    }
    return [
      .report("The broker lost history; requests are numbered again from \(number.next)."),
      .renumber(after: number),
    ]
  }

  mutating func takeNewIdentity(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    identity.device = nil
    let renumbered = renumber(after: .zero).dropFirst()
    return [
      .report("Another device uses the identity of this device; requesting a new one."),
      .takeNewIdentity,
    ] + renumbered + hangUp(because: nil, using: &generator)
  }

  /// The store drew a new key.
  package mutating func tookIdentity(key: [UInt8]) {
    identity.key = key
  }

  // MARK: Waiting for everything

  /// Asks for `synchronized(id)` once everything is sent and read.
  package mutating func wait(_ id: UInt64) {
    waits[id] = .wanted
  }

  /// Gives a wait up.
  package mutating func forget(_ id: UInt64) {
    waits[id] = nil
  }

  /// Everything else is done: asks for a checkpoint where somebody waits for one and the outbox is
  /// empty at this moment.
  package mutating func settled(isOutboxEmpty: Bool) -> [SyncStep] {
    guard isOutboxEmpty, phase == .live, waits.values.contains(.wanted) else { return [] }
    let id = freshID()
    for (waiting, state) in waits where state == .wanted {
      waits[waiting] = .asked(checkpoint: id)
    }
    return [.send(id: id, .checkpoint)]
  }

  /// Records wait for where they were moved to. A move creates the new record before it deletes the old
  /// one, so a device that can read it has it once it has read everything that the broker has now.
  /// - Parameter isNew: whether one of them waits since the last call; what was asked before it began to
  ///   wait says nothing about its target.
  package mutating func awaitTargets(isNew: Bool) -> [SyncStep] {
    if case .asked = targets {
      awaitsTargetsAgain = awaitsTargetsAgain || isNew
      return []
    }
    targets = .wanted
    guard phase == .live else { return [] }
    let id = freshID()
    targets = .asked(checkpoint: id)
    return [.send(id: id, .checkpoint)]
  }

  mutating func passedCheckpoint(_ checkpoint: UInt64) -> [SyncStep] {
    if targets == .asked(checkpoint: checkpoint) {
      // As below: until the new zone is read, nothing is known.
      guard phase == .live, !awaitsTargetsAgain else {
        awaitsTargetsAgain = false
        targets = .wanted
        return awaitTargets(isNew: false)
      }
      targets = nil
      return [.giveUpTargets]
    }
    let passed = waits.filter { $0.value == .asked(checkpoint: checkpoint) }.keys.sorted()
    // A zone that became known meanwhile is part of everything, too.
    guard phase == .live else {
      for id in passed { waits[id] = .wanted }
      return []
    }
    for id in passed { waits[id] = nil }
    return passed.map { .synchronized(id: $0) }
  }
}
