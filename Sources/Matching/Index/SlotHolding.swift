// A slot lives as long as something refers to it: an instruction, a place in a list, or another slot
// that is filled from it. What nothing refers to any more is given back at the end of the change,
// with all that was kept under it, so that its number can stand for another field.

import Predicates

extension Partition {
  /// Prepares the table for the slots that a predicate of `maker` may need.
  func begin(_ maker: SlotMaker) {
    table.newSlotsMaximum = shares.allowance(of: maker, freeCount: table.freeSlotCount)
  }

  /// Has room for what is known of every slot.
  func addUses() { addUses(upTo: table.slotCount) }

  /// Has room for what is known of the slots below `count`.
  func addUses(upTo count: Int) {
    while uses.count < count { uses.append(SlotUse()) }
  }

  /// Notes that one thing more refers to a slot.
  @inline(__always)
  func hold(slot: UInt16) {
    uses.base[Int(slot)].holders += 1
  }

  /// Notes that one thing less refers to a slot.
  @inline(__always)
  func release(slot: UInt16) {
    uses.base[Int(slot)].holders -= 1
    if uses.base[Int(slot)].holders == 0 { idleSlots.append(slot) }
  }

  /// Charges the slots that were made to `maker` and gives back those that nothing refers to.
  func settleSlots(of maker: SlotMaker) {
    table.usesWords = usesWords
    guard !table.newSlots.isEmpty || !idleSlots.isEmpty else { return }
    addUses()
    for slot in table.newSlots {
      shares.charge(slot, to: maker)
      if let source = source(of: slot) { hold(slot: source) }
    }
    idleSlots += table.newSlots
    table.newSlots.removeAll(keepingCapacity: true)
    while let slot = idleSlots.popLast() { removeIfIdle(slot) }
    table.usesAccounts = [SystemField.creatorUserRecordID, .lastModifiedUserRecordID].contains {
      uses[Int($0.rawValue)].holders > 0
    }
  }

  /// The slot that fills another one: that of the field whose form or elements it is for.
  private func source(of slot: UInt16) -> UInt16? {
    elements.field(ofElementsIn: slot) ?? table.plainSlot(ofForm: slot)
  }

  private func removeIfIdle(_ slot: UInt16) {
    guard Int(slot) >= SystemField.allCases.count, uses[Int(slot)].holders == 0,
      table.isUsed(slot)
    else { return }
    if let source = source(of: slot) { release(slot: source) }
    removeKeys(of: slot)
    shares.discharge(slot)
    table.remove(slot)
  }

  /// Forgets all that is kept under a slot. Its lists are empty: what was in them referred to it.
  private func removeKeys(of slot: UInt16) {
    let use = uses[Int(slot)]
    if use.trigramFilter != 0 {
      filters.release(Int(use.trigramFilter) - 1, Trigram.filterBytes)
    }
    for number in [use.lowerBounds, use.upperBounds] where number != 0 {
      freeThresholds.append(Int(number) - 1)
    }
    if let field = elements.field(ofElementsIn: slot) {
      elements.remove(slot)
      if elements.ofField(field).isEmpty {
        uses.base[Int(field)].kinds &= ~SlotUse.Kinds.elements
      }
    }
    uses[Int(slot)] = SlotUse()
  }
}
