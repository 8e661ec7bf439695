// The device's requests, and the waits for everything to be sent and read.

import Records

extension SyncMachine {
  /// How many more requests may be frozen now; 0 unless the broker can be spoken to.
  package var freeRequests: Int {
    conversation.isReady ? window.room : 0
  }

  /// Whether edits of this zone may be frozen: what the broker has is known, so that what can be
  /// merged is merged before it is sent. A zone that is not followed yet is one made here.
  package func mayFreeze(_ zone: ZoneID) -> Bool {
    zones[zone]?.isLevel ?? true
  }

  /// Whether everything that the broker had of a followed zone when it said so is here.
  package func isLevel(_ zone: ZoneID) -> Bool { zones[zone]?.isLevel == true }

  /// The number that the next request gets.
  package var nextNumber: RequestNumber { window.nextNumber }

  /// The last number given to a request.
  package var lastNumber: RequestNumber { window.lastNumber }

  /// Outcomes up to here are stored.
  package var acknowledged: RequestNumber { window.acknowledged }

  /// The request of `nextNumber` was frozen and stored.
  /// - Parameter byteCount: The size of its message.
  package mutating func froze(byteCount: Int) -> [SyncStep] {
    window.add(byteCount: byteCount)
    return sendRequests()
  }

  mutating func sendRequests() -> [SyncStep] {
    window.send(in: &conversation).map { .store(.sendRequest(id: $0.id, $0.number)) }
  }

  // MARK: Answers

  mutating func ended(
    _ outcome: ModifyOutcome, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    switch window.ended(outcome.number) {
    case .known: return []
    case .outOfOrder:
      return [.report("An outcome is out of order; reconnecting.")]
        + hangUp(because: nil, using: &generator)
    case .ended:
      noticeAssets(in: outcome)
      return [.store(.storeOutcome(outcome)), .send(id: freshID(), .acknowledge(outcome.number))]
    }
  }

  /// Something was refused as a whole; nothing was done and no number used.
  mutating func refused(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    if let refusal = window.refused(error, replyTo: replyTo, using: &generator) {
      return refused(refusal, because: error, using: &generator)
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
    _ refusal: NumberedRequests.Refusal, because error: RecordsError,
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    switch refusal {
    case .clonedDevice: takeNewIdentity(using: &generator)
    case .notAuthenticated: hangUp(because: error, using: &generator)
    case .postponed(let milliseconds): [.wait(.resend, milliseconds: milliseconds)]
    case .removed(let number): [.store(.unfreeze(from: number, error))]
    }
  }

  // MARK: Identity

  mutating func renumber(after number: RequestNumber) -> [SyncStep] {
    window.renumber(after: number)
    return [
      .report("The broker lost history; requests are numbered again from \(number.next)."),
      .store(.renumber(after: number)),
    ]
  }

  mutating func takeNewIdentity(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    identity.device = nil
    let renumbered = renumber(after: .zero).dropFirst()
    return [
      .report("Another device uses the identity of this device; requesting a new one."),
      .store(.takeNewIdentity),
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
      return [.store(.giveUpTargets)]
    }
    let passed = waits.filter { $0.value == .asked(checkpoint: checkpoint) }.keys.sorted()
    // A zone that became known meanwhile is part of everything, too.
    guard phase == .live else {
      for id in passed { waits[id] = .wanted }
      return []
    }
    for id in passed { waits[id] = nil }
    return passed.map { .action(.synchronized(id: $0)) }
  }
}
