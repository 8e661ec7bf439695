// Reference counts of slots. An instruction that reads a slot, a posting under it, and a slot whose values
// are derived from it (a folded form or elements) each hold a reference. A slot without references is
// released at the end of the change, with everything stored under it, so that its number can be used for
// another field.

import Predicates

extension Partition {
  /// Limits the new slots of the next predicate to what is left of the account's quota.
  func begin(_ charge: SlotCharge) {
    table.newSlotsMaximum = slotLedger.quotas.allowance(of: charge, freeCount: table.freeSlotCount)
  }

  /// Extends `uses` to all slots of the table.
  func addUses() { addUses(upTo: table.slotCount) }

  /// Extends `uses` to the slots below `count`.
  func addUses(upTo count: Int) {
    while uses.count < count { uses.append(SlotUse()) }
  }

  /// Adds a reference to a slot.
  @inline(__always)
  func retain(slot: UInt16) {
    uses.base[Int(slot)].references += 1
  }

  /// Removes a reference to a slot.
  @inline(__always)
  func release(slot: UInt16) {
    uses.base[Int(slot)].references -= 1
    if uses.base[Int(slot)].references == 0 { slotLedger.idle.append(slot) }
  }

  /// Charges the new slots and releases the slots without references. Call it at the end of a change.
  func releaseIdleSlots(chargingTo charge: SlotCharge) {
    table.usesWords = usesWords
    guard !table.newSlots.isEmpty || !slotLedger.idle.isEmpty else { return }
    addUses()
    for slot in table.newSlots {
      slotLedger.quotas.add(slot, to: charge)
      if let source = source(of: slot) { retain(slot: source) }
    }
    slotLedger.idle += table.newSlots
    table.newSlots.removeAll(keepingCapacity: true)
    while let slot = slotLedger.idle.popLast() { removeIfIdle(slot) }
    table.usesAccounts = [SystemField.creatorUserRecordID, .lastModifiedUserRecordID].contains {
      uses[Int($0.rawValue)].references > 0
    }
  }

  /// Returns the slot of the field from which the folded form or elements in `slot` are derived; `nil` for
  /// other slots.
  private func source(of slot: UInt16) -> UInt16? {
    slotLedger.elements.field(ofElementsIn: slot) ?? table.plainSlot(ofForm: slot)
  }

  private func removeIfIdle(_ slot: UInt16) {
    guard Int(slot) >= SystemField.allCases.count, uses[Int(slot)].references == 0,
      table.isUsed(slot)
    else { return }
    if let source = source(of: slot) { release(slot: source) }
    clear(slot: slot)
    slotLedger.quotas.remove(slot)
    table.remove(slot)
  }

  /// Frees the memory of a slot without references. The slot has no postings left, because each posting
  /// holds a reference to its slot.
  private func clear(slot: UInt16) {
    let use = uses[Int(slot)]
    if use.trigramFilter != 0 {
      lists.filters.release(Int(use.trigramFilter) - 1, Trigram.filterBytes)
    }
    for number in [use.lowerBounds, use.upperBounds] where number != 0 {
      lists.freeThresholds.append(Int(number) - 1)
    }
    if let field = slotLedger.elements.field(ofElementsIn: slot) {
      slotLedger.elements.remove(slot)
      if slotLedger.elements.ofField(field).isEmpty {
        uses.base[Int(field)].kinds &= ~SlotUse.Kinds.elements
      }
    }
    uses[Int(slot)] = SlotUse()
  }
}
