/// What a partition records about its slots, except the keys and statistics of each slot (`SlotUse`).
struct SlotLedger {
  /// The slots of list elements and of parts of entries.
  var elements = ElementUses()
  /// Slots to examine at the end of the current change: their last reference was released, or they
  /// are new and may not have one.
  var idle: [UInt16] = []
  /// The number of slots that each account's predicates have created.
  var quotas = SlotQuotas()
}
