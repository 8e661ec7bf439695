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
    if let new { bench.newView.load(new.record, new.system, table) } else { bench.newView.clear() }
    if let old { bench.oldView.load(old.record, old.system, table) } else { bench.oldView.clear() }
    if new != nil { resolve(&bench.newView) }
    if old != nil { resolve(&bench.oldView) }
    if let unfiled {
      for (block, _) in unfiled { bench.candidates.append(block) }
    } else {
      collect(hasOld: old != nil, hasNew: new != nil)
    }
    let judge = Judge(
      hasOld: old != nil, hasNew: new != nil,
      differences: old != nil && new != nil ? differences(bench.newView, bench.oldView) : 0)
    judge.judge(
      bench.candidates, blocks, new: &bench.newView, old: &bench.oldView, subscribers, into: &list)
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
  func judge(
    _ candidates: borrowing Slab<UInt32>, _ blocks: borrowing PredicateBlocks,
    new: inout RecordView, old: inout RecordView, _ subscribers: borrowing SubscriberLists,
    into list: inout MatchList
  ) {
    let option = option
    var stepsLeft = PredicateLimits.stepsPerEvent
    for index in 0..<candidates.count {
      let block = candidates[index]
      let header = blocks.header(block)
      guard header.pointee.options & option != 0, header.pointee.flags & BlockHeader.isOff == 0
      else { continue }
      let code = blocks.code(block)
      let constants = blocks.constants(block, header)
      let after = hasNew ? run(code, constants, on: &new, of: &stepsLeft) : .no
      let isUnchanged = hasNew && header.pointee.slotMask & differences == 0
      let before =
        hasOld ? isUnchanged ? after : run(code, constants, on: &old, of: &stepsLeft) : .no
      guard after != .failed, before != .failed else {
        header.pointee.flags |= BlockHeader.isOff
        subscribers.visit(header) { list.failed.append(SubscriptionNumber($0.number)) }
        continue
      }
      guard let reason = reason(before: before == .yes, after: after == .yes) else { continue }
      subscribers.visit(header) { subscriber in
        guard subscriber.options & option != 0 else { return }
        list.matches.append(SubscriptionMatch(number: subscriber.number, reason: reason))
      }
    }
  }

  @inline(__always)
  private func run(
    _ code: UnsafePointer<Instruction>, _ constants: UnsafeRawPointer,
    on view: inout RecordView, of stepsLeft: inout Int
  ) -> RunOutcome {
    let steps = stepsLeft > 0 ? PredicateLimits.stepsPerRun : PredicateLimits.stepsPerCrowdedRun
    let outcome = view.run(code, constants: constants, stepsMaximum: steps)
    stepsLeft -= steps - view.stepsLeft
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
