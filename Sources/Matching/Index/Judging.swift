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
    candidates.removeAll()
    if let new { newView.load(new.record, new.system, table) } else { newView.clear() }
    if let old { oldView.load(old.record, old.system, table) } else { oldView.clear() }
    if new != nil { resolve(&newView) }
    if old != nil { resolve(&oldView) }
    if let unfiled {
      for (block, _) in unfiled { candidates.append(block) }
    } else {
      collect(hasOld: old != nil, hasNew: new != nil)
    }
    let event = Event(
      hasOld: old != nil, hasNew: new != nil,
      differences: old != nil && new != nil ? differences(newView, oldView) : 0)
    for index in 0..<candidates.count {
      judge(candidates[index], event, subscribers, into: &list)
    }
  }

  private func collect(hasOld: Bool, hasNew: Bool) {
    let before = UnsafePointer(hasOld ? oldView.slots : newView.slots)
    let after = UnsafePointer(hasNew ? newView.slots : oldView.slots)
    collectAlways(Values(own: after, other: before))
    if hasNew {
      collect(&newView, Values(own: after, other: before), onlyDifferences: false)
    }
    if hasOld {
      collect(&oldView, Values(own: before, other: after), onlyDifferences: hasNew)
    }
  }

  /// What a change is.
  private struct Event {
    let hasOld: Bool
    let hasNew: Bool
    let differences: UInt32

    /// The option of those who may be told.
    var option: UInt8 {
      let option: FiringOptions = hasOld ? hasNew ? .update : .deletion : .creation
      return option.rawValue
    }
  }

  @inline(__always)
  private func judge(
    _ block: UInt32, _ event: Event, _ subscribers: borrowing SubscriberLists,
    into list: inout MatchList
  ) {
    let header = blocks.header(block)
    guard header.pointee.options & event.option != 0,
      header.pointee.flags & BlockHeader.isOff == 0
    else { return }
    let code = blocks.code(block)
    let constants = blocks.constants(block, header)
    var after = RunOutcome.no
    var before = RunOutcome.no
    if event.hasNew { after = newView.run(code, constants: constants) }
    if event.hasOld {
      let isUnchanged = event.hasNew && header.pointee.slotMask & event.differences == 0
      before = isUnchanged ? after : oldView.run(code, constants: constants)
    }
    guard after != .failed, before != .failed else {
      return switchOff(header, subscribers, into: &list)
    }
    guard let reason = Self.reason(event, before: before == .yes, after: after == .yes) else {
      return
    }
    subscribers.visit(header) { subscriber in
      if subscriber.options & event.option != 0 {
        list.matches.append(SubscriptionMatch(number: subscriber.number, reason: reason))
      }
    }
  }

  private static func reason(_ event: Event, before: Bool, after: Bool) -> MatchReason? {
    switch (event.hasOld, event.hasNew) {
    case (false, true): after ? .created : nil
    case (true, false): before ? .deleted : nil
    default: after ? before ? .updated : .entered : before ? .left : nil
    }
  }

  private func switchOff(
    _ header: UnsafeMutablePointer<BlockHeader>, _ subscribers: borrowing SubscriberLists,
    into list: inout MatchList
  ) {
    header.pointee.flags |= BlockHeader.isOff
    subscribers.visit(header) { list.failed.append(SubscriptionNumber($0.number)) }
  }

  private func nextEpoch() {
    epoch &+= 1
    guard epoch == 0 else { return }
    // After four billion events every block's stamp is old enough to be mistaken for a new one.
    epoch = 1
    blocks.visit { blocks.header($0).pointee.stamp = 0 }
  }
}
