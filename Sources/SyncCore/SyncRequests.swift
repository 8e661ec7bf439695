// The device's requests, and the waits for everything to be sent and read.

import Records

extension SyncMachine {
  /// Whether another request may be built now; `false` if there is no connection.
  package var hasRoomForRequest: Bool { conversation.isReady && window.hasRoom }

  /// Whether an outcome will probably arrive soon.
  package func expectsOutcome(at now: Timestamp) -> Bool {
    phase == .live && window.expectsOutcome(at: now)
  }

  /// Whether edits of this zone may be sent: the device has read the zone, so that edits are merged before they are
  /// sent. A zone that is not followed yet was created on this device.
  package func mayFreeze(_ zone: ZoneID) -> Bool {
    feeds[zone]?.isLevel ?? true
  }

  /// Whether the device has caught up with a followed zone.
  package func isLevel(_ zone: ZoneID) -> Bool { feeds[zone]?.isLevel == true }

  /// The number that the next request gets.
  package var nextNumber: RequestNumber { window.nextNumber }

  /// The last number given to a request.
  package var lastNumber: RequestNumber { window.lastNumber }

  /// Outcomes up to here are stored.
  package var acknowledged: RequestNumber { window.acknowledged }

  /// Sends the request of `nextNumber`, which was built and stored.
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

  /// Handles an error that rejects a whole message. The broker did nothing and used no request number.
  mutating func refused(
    _ error: RecordsError, replyTo: UInt64, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    if let refusal = window.refused(error, replyTo: replyTo, using: &generator) {
      return refused(refusal, because: error, using: &generator)
    }
    if let answered = refusedQuestion(replyTo) { return answered }
    if let answered = refusedOrder(error, replyTo) { return answered }
    if let steps = assetRefused(error, replyTo: replyTo) { return steps }
    if let steps = refusedPublicReading(error, replyTo: replyTo, using: &generator) { return steps }
    if let steps = refusedSubscriptionChange(error, replyTo: replyTo, using: &generator) {
      return steps
    }
    if let steps = refusedFollowing(error, replyTo: replyTo, using: &generator) { return steps }
    checkpoints.refused(replyTo)
    transfers.returns.refused(replyTo)
    if replyTo == feeds.directory.request { feeds.directory.request = nil }
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

  /// Makes this copy of a device a new device. Until the next welcome it remembers the device that it was, so that the
  /// broker registers it under the same account.
  mutating func takeNewIdentity(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    if let device = identity.device { identity.former = FormerDevice(device, key: identity.key) }
    identity.device = nil
    let renumbered = renumber(after: .zero).dropFirst()
    return [
      .report("Another device uses the identity of this device; requesting a new one."),
      .store(.takeNewIdentity),
    ] + renumbered + hangUp(because: nil, using: &generator)
  }

  /// Records the device's new key.
  package mutating func tookIdentity(key: [UInt8]) {
    identity.key = key
  }

  // MARK: Waiting for everything

  /// Requests the `synchronized(id)` step for when all edits are sent and all changes are read.
  package mutating func wait(_ id: UInt64) {
    checkpoints.callers[id] = .wanted
  }

  /// Cancels a wait.
  package mutating func forget(_ id: UInt64) {
    checkpoints.callers[id] = nil
  }

  /// Requests a checkpoint if a caller waits for one and the outbox is empty, held deletions aside. Called last, after
  /// all other steps.
  package mutating func settled(isOutboxEmpty: Bool) -> [SyncStep] {
    guard isOutboxEmpty, phase == .live, checkpoints.callers.values.contains(.wanted) else {
      return []
    }
    let id = freshID()
    for (waiting, state) in checkpoints.callers where state == .wanted {
      checkpoints.callers[waiting] = .asked(checkpoint: id)
    }
    return [.send(id: id, .checkpoint)]
  }

  /// Requests a checkpoint because edited records wait for the targets of their moves. A move creates the new record
  /// before it deletes the old one. So if the device may read the target, it has the target after this checkpoint.
  /// - Parameter isNew: whether a record began to wait since the last call. An earlier checkpoint does not cover its
  ///   target.
  package mutating func awaitTargets(isNew: Bool) -> [SyncStep] {
    if case .asked = checkpoints.targets {
      checkpoints.repeatsForTargets = checkpoints.repeatsForTargets || isNew
      return []
    }
    checkpoints.targets = .wanted
    guard phase == .live else { return [] }
    let id = freshID()
    checkpoints.targets = .asked(checkpoint: id)
    return [.send(id: id, .checkpoint)]
  }

  /// Whether the device has read everything since it connected, and has not looked for records in two groups.
  package var looksForDoubledRecords: Bool { phase == .live && checkpoints.looksForDoubledRecords }

  /// Requests a checkpoint if there may be records in two groups: another device may be about to delete one of each.
  package mutating func lookedForDoubledRecords(areThere: Bool) -> [SyncStep] {
    checkpoints.looksForDoubledRecords = false
    return areThere ? awaitTargets(isNew: true) : []
  }

  mutating func passedCheckpoint(_ checkpoint: UInt64) -> [SyncStep] {
    if checkpoints.targets == .asked(checkpoint: checkpoint) {
      // As below: the checkpoint does not count while a new zone is being read.
      guard phase == .live, !checkpoints.repeatsForTargets else {
        checkpoints.repeatsForTargets = false
        checkpoints.targets = .wanted
        return awaitTargets(isNew: false)
      }
      checkpoints.targets = nil
      return [.store(.giveUpTargets)]
    }
    let passed = checkpoints.callers.filter { $0.value == .asked(checkpoint: checkpoint) }.keys
      .sorted()
    // A zone that became known after the request must be read as well.
    guard phase == .live else {
      for id in passed { checkpoints.callers[id] = .wanted }
      return []
    }
    for id in passed { checkpoints.callers[id] = nil }
    return passed.map { .action(.synchronized(id: $0)) }
  }
}
