// Evaluates candidate predicates against the old and new state of a record and collects the matching
// subscriptions. The complete predicate is evaluated, regardless of the index key that produced the
// candidate. If no field it reads has changed, one evaluation serves both states.

import Predicates
import Records

/// A record's state before or after a change.
package struct RecordState: Sendable {
  /// The fields that the broker sets.
  package let system: SystemFields
  /// The fields that clients set, encoded.
  package let record: EncodedRecord

  package init(system: SystemFields, record: EncodedRecord) {
    self.system = system
    self.record = record
  }
}

extension Partition {
  /// Appends to `list` the subscriptions to notify about a change from `old` to `new`. Pass `nil` for
  /// `old` on creation and for `new` on deletion.
  func match(
    old: RecordState?, new: RecordState?, _ subscribers: borrowing SubscriberLists,
    into list: inout MatchList
  ) {
    beginEvent()
    scratch.removeCandidates()
    let isLoaded = load(old: old, new: new, list)
    if let unindexed {
      for one in unindexed { scratch.candidates.append(one.block) }
    } else if !isLoaded || scratch.views.new.hasUnfolded || scratch.views.old.hasUnfolded {
      // A text that was not folded has no keys, so every predicate is evaluated.
      blocks.visit { scratch.candidates.append($0) }
    } else {
      collect(hasOld: old != nil, hasNew: new != nil)
    }
    let evaluator = CandidateEvaluator(
      hasOld: old != nil, hasNew: new != nil,
      differences: old != nil && new != nil
        ? differences(scratch.views.new, scratch.views.old) : 0)
    evaluator.evaluate(scratch.candidates, blocks, &scratch.views, subscribers, into: &list)
  }

  /// Loads both states into the views. Returns false, with empty views, if the event has no steps
  /// left; then no predicate can be evaluated.
  private func load(old: RecordState?, new: RecordState?, _ list: borrowing MatchList) -> Bool {
    scratch.views.new.clear()
    scratch.views.old.clear()
    guard list.stepsLeft > 0 else { return false }
    let maximum = PredicateLimits.foldedBytes
    if let new {
      scratch.views.new.load(
        new.record, new.system, table, foldedBytesMaximum: maximum, stepsMaximum: list.stepsLeft)
      resolve(&scratch.views.new)
    }
    if let old {
      scratch.views.old.load(
        old.record, old.system, table, foldedBytesMaximum: maximum,
        stepsMaximum: list.stepsLeft - scratch.views.new.loadSteps)
      resolve(&scratch.views.old)
    }
    return true
  }

  private func collect(hasOld: Bool, hasNew: Bool) {
    let before = UnsafePointer(hasOld ? scratch.views.old.slots : scratch.views.new.slots)
    let after = UnsafePointer(hasNew ? scratch.views.new.slots : scratch.views.old.slots)
    collectAlways(Values(own: after, other: before))
    if hasNew {
      collect(&scratch.views.new, Values(own: after, other: before), onlyDifferences: false)
    }
    if hasOld {
      collect(&scratch.views.old, Values(own: before, other: after), onlyDifferences: hasNew)
    }
    removeDuplicates()
  }

  private func beginEvent() {
    eventNumber &+= 1
    guard eventNumber == 0 else { return }
    // The number wrapped around after 2³² events, so stamps of old events could equal new numbers.
    eventNumber = 1
    blocks.visit { blocks.header($0).pointee.stamp = 0 }
  }
}

/// Evaluates the candidates of one change. It is separate from `Partition` so that the loop works on
/// its arguments and checks no access to the partition's properties more than once.
private struct CandidateEvaluator {
  let hasOld: Bool
  let hasNew: Bool
  /// Bit n: the value in some slot s with s mod 32 = n differs between the old and the new state.
  let differences: UInt32

  /// The firing option that a subscription needs for this change.
  private var option: UInt8 {
    let option: FiringOptions = hasOld ? hasNew ? .update : .deletion : .creation
    return option.rawValue
  }

  /// Appends the subscriptions that match to `list`, and those whose predicate ran out of steps to
  /// `list.unknown`.
  ///
  /// Evaluation has rounds (`PredicateLimits.stepsPerRound`). In the first, each predicate gets few
  /// steps; those that need more are evaluated again in later rounds. If expensive predicates exhaust
  /// the event's steps, only predicates that are as expensive remain without a result.
  func evaluate(
    _ candidates: borrowing Slab<UInt32>, _ blocks: borrowing PredicateBlocks,
    _ views: inout RecordViews, _ subscribers: borrowing SubscriberLists, into list: inout MatchList
  ) {
    list.stepsLeft -= views.new.loadSteps + views.old.loadSteps
    var unfinished: [UInt32] = []
    for index in 0..<candidates.count {
      let block = candidates[index]
      let header = blocks.header(block)
      guard header.pointee.options & option != 0, hasRecipient(header, subscribers, list)
      else { continue }
      let isFinished =
        list.stepsLeft > 0
        && evaluate(
          block, blocks, &views, subscribers, steps: PredicateLimits.stepsPerRound[0], into: &list)
      if !isFinished { unfinished.append(block) }
    }
    for steps in PredicateLimits.stepsPerRound.dropFirst() where !unfinished.isEmpty {
      let remaining = unfinished
      unfinished = []
      for block in remaining {
        let isFinished =
          list.stepsLeft > 0
          && evaluate(block, blocks, &views, subscribers, steps: steps, into: &list)
        if !isFinished { unfinished.append(block) }
      }
    }
    for block in unfinished { report(blocks.header(block), subscribers, into: &list) }
  }

  /// Evaluates one predicate and appends its subscribers to `list.matches` if it matches. Returns
  /// whether `steps` for each state were enough.
  @inline(__always)
  private func evaluate(
    _ block: UInt32, _ blocks: borrowing PredicateBlocks, _ views: inout RecordViews,
    _ subscribers: borrowing SubscriberLists, steps: Int, into list: inout MatchList
  ) -> Bool {
    let header = blocks.header(block)
    let code = blocks.code(block)
    let constants = blocks.constants(block, header)
    let after = hasNew ? run(code, constants, on: &views.new, steps, of: &list.stepsLeft) : .no
    let isUnchanged = hasNew && header.pointee.slotMask & differences == 0
    let before =
      hasOld
      ? isUnchanged ? after : run(code, constants, on: &views.old, steps, of: &list.stepsLeft)
      : .no
    guard after != .failed, before != .failed else { return false }
    guard let reason = reason(before: before == .yes, after: after == .yes) else { return true }
    let option = option
    subscribers.visit(header) { subscriber in
      guard subscriber.options & option != 0, list.concerns(subscriber.number) else { return }
      list.matches.append(SubscriptionMatch(number: subscriber.number, reason: reason))
    }
    return true
  }

  private func report(
    _ header: UnsafeMutablePointer<BlockHeader>, _ subscribers: borrowing SubscriberLists,
    into list: inout MatchList
  ) {
    let option = option
    subscribers.visit(header) {
      guard $0.options & option != 0, list.concerns($0.number) else { return }
      list.unknown.append(SubscriptionNumber($0.number))
    }
  }

  @inline(__always)
  private func hasRecipient(
    _ header: UnsafeMutablePointer<BlockHeader>, _ subscribers: borrowing SubscriberLists,
    _ list: borrowing MatchList
  ) -> Bool {
    guard let only = list.only else { return true }
    var isFound = false
    subscribers.visit(header) { if only.contains($0.number) { isFound = true } }
    return isFound
  }

  @inline(__always)
  private func run(
    _ code: UnsafePointer<Instruction>, _ constants: UnsafeRawPointer,
    on view: inout EvaluatedRecord, _ steps: Int, of stepsLeft: inout Int
  ) -> RunOutcome {
    let outcome = view.run(code, constants: constants, stepsMaximum: steps)
    // A run has a fixed cost, even if it reads no bytes.
    stepsLeft -= steps - view.stepsLeft + 16
    return outcome
  }

  @inline(__always)
  private func reason(before: Bool, after: Bool) -> MatchReason? {
    switch (hasOld, hasNew) {
    case (false, true): after ? .created : nil
    case (true, false): before ? .deleted : nil
    default: after ? before ? .updated : .entered : before ? .left : nil
    }
  }
}
