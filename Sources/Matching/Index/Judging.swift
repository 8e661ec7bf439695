// Runs the candidates on the record before and after a change and says who is told what. The whole
// predicate is run, whatever key it was found by. Where nothing changed that it looks at, one run
// answers for both.

import Predicates
import Records

/// A record's state, before or after a change.
package struct RecordState: Sendable {
  /// What the broker says about it.
  package let system: SystemFields
  /// Its fields.
  package let record: EncodedRecord

  /// A state.
  package init(system: SystemFields, record: EncodedRecord) {
    self.system = system
    self.record = record
  }
}

extension Partition {
  /// Adds to `list` whom a change of a record from `old` to `new` is told; one of them may be
  /// `nil`, for a record that is made or deleted.
  func match(
    old: RecordState?, new: RecordState?, _ subscribers: borrowing SubscriberLists,
    into list: inout MatchList
  ) {
    nextEpoch()
    bench.forgetCandidates()
    let isLoaded = load(old: old, new: new, list)
    if let unfiled {
      for one in unfiled { bench.candidates.append(one.block) }
    } else if !isLoaded || bench.newView.hasUnfolded || bench.oldView.hasUnfolded {
      // A text that was not folded has no keys: every predicate is evaluated.
      blocks.visit { bench.candidates.append($0) }
    } else {
      collect(hasOld: old != nil, hasNew: new != nil)
    }
    let judge = Judge(
      hasOld: old != nil, hasNew: new != nil,
      differences: old != nil && new != nil ? differences(bench.newView, bench.oldView) : 0)
    judge.judge(
      bench.candidates, blocks, new: &bench.newView, old: &bench.oldView, subscribers, into: &list)
  }

  /// Loads both states. Returns whether there were steps left for that; if not, no predicate can be
  /// evaluated.
  private func load(old: RecordState?, new: RecordState?, _ list: borrowing MatchList) -> Bool {
    bench.newView.clear()
    bench.oldView.clear()
    guard list.stepsLeft > 0 else { return false }
    let maximum = PredicateLimits.foldedBytes
    if let new {
      bench.newView.load(
        new.record, new.system, table, foldedBytesMaximum: maximum, stepsMaximum: list.stepsLeft)
      resolve(&bench.newView)
    }
    if let old {
      bench.oldView.load(
        old.record, old.system, table, foldedBytesMaximum: maximum,
        stepsMaximum: list.stepsLeft - bench.newView.loadSteps)
      resolve(&bench.oldView)
    }
    return true
  }

  private func collect(hasOld: Bool, hasNew: Bool) {
    let before = UnsafePointer(hasOld ? bench.oldView.slots : bench.newView.slots)
    let after = UnsafePointer(hasNew ? bench.newView.slots : bench.oldView.slots)
    collectAlways(Values(own: after, other: before))
    if hasNew {
      collect(&bench.newView, Values(own: after, other: before), onlyDifferences: false)
    }
    if hasOld {
      collect(&bench.oldView, Values(own: before, other: after), onlyDifferences: hasNew)
    }
    settle()
  }

  private func nextEpoch() {
    epoch &+= 1
    guard epoch == 0 else { return }
    // After four billion events every block's stamp is old enough to be mistaken for a new one.
    epoch = 1
    blocks.visit { blocks.header($0).pointee.stamp = 0 }
  }
}

/// A change, and what each candidate's predicate makes of it. Apart from the partition, so that the
/// loop over candidates works on what it is passed and checks no access but once.
private struct Judge {
  let hasOld: Bool
  let hasNew: Bool
  /// Bit n: a slot that is n modulo 32 differs before and after.
  let differences: UInt32

  /// The option of those who may be told.
  private var option: UInt8 {
    let option: FiringOptions = hasOld ? hasNew ? .update : .deletion : .creation
    return option.rawValue
  }

  /// Adds to `list` whom of the candidates the change is told.
  ///
  /// Each predicate gets little at first, and more in a second and a third round if it needs it. So costly
  /// ones use up an event's steps for those that cost as much, and cheaper ones of others that are asked
  /// behind them get their answer.
  func judge(
    _ candidates: borrowing Slab<UInt32>, _ blocks: borrowing PredicateBlocks,
    new: inout RecordView, old: inout RecordView, _ subscribers: borrowing SubscriberLists,
    into list: inout MatchList
  ) {
    var stepsLeft = list.stepsLeft - new.loadSteps - old.loadSteps
    var costly: [UInt32] = []
    for index in 0..<candidates.count {
      let block = candidates[index]
      let header = blocks.header(block)
      guard header.pointee.options & option != 0, isAboutAnybody(header, subscribers, list)
      else { continue }
      let isJudged =
        stepsLeft > 0
        && judge(
          block, blocks, new: &new, old: &old, subscribers, PredicateLimits.stepsPerRound[0],
          of: &stepsLeft, into: &list)
      if !isJudged { costly.append(block) }
    }
    for steps in PredicateLimits.stepsPerRound.dropFirst() where !costly.isEmpty {
      let asked = costly
      costly = []
      for block in asked {
        let isJudged =
          stepsLeft > 0
          && judge(
            block, blocks, new: &new, old: &old, subscribers, steps, of: &stepsLeft, into: &list)
        if !isJudged { costly.append(block) }
      }
    }
    for block in costly { report(blocks.header(block), subscribers, into: &list) }
    list.stepsLeft = stepsLeft
  }

  /// Runs one predicate and tells whom it concerns. Returns whether `steps` were enough.
  @inline(__always)
  private func judge(
    _ block: UInt32, _ blocks: borrowing PredicateBlocks, new: inout RecordView,
    old: inout RecordView, _ subscribers: borrowing SubscriberLists, _ steps: Int,
    of stepsLeft: inout Int, into list: inout MatchList
  ) -> Bool {
    let header = blocks.header(block)
    let code = blocks.code(block)
    let constants = blocks.constants(block, header)
    let after = hasNew ? run(code, constants, on: &new, steps, of: &stepsLeft) : .no
    let isUnchanged = hasNew && header.pointee.slotMask & differences == 0
    let before =
      hasOld ? isUnchanged ? after : run(code, constants, on: &old, steps, of: &stepsLeft) : .no
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
  private func isAboutAnybody(
    _ header: UnsafeMutablePointer<BlockHeader>, _ subscribers: borrowing SubscriberLists,
    _ list: borrowing MatchList
  ) -> Bool {
    guard let only = list.only else { return true }
    var isAbout = false
    subscribers.visit(header) { if only.contains($0.number) { isAbout = true } }
    return isAbout
  }

  @inline(__always)
  private func run(
    _ code: UnsafePointer<Instruction>, _ constants: UnsafeRawPointer,
    on view: inout RecordView, _ steps: Int, of stepsLeft: inout Int
  ) -> RunOutcome {
    let outcome = view.run(code, constants: constants, stepsMaximum: steps)
    // A run takes something even where it looks at nothing.
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
