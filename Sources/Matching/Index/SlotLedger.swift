/// The bookkeeping of a partition's slots, apart from what is filed under each (`SlotUse`).
struct SlotLedger {
  /// The slots of list elements and of parts of entries.
  var elements = ElementUses()
  /// Slots to examine at the end of the current change: their last reference was released, or they
  /// are new and may not have one.
  var idle: [UInt16] = []
  /// The number of slots that each account's predicates have created.
  var quotas = SlotQuotas()
}
