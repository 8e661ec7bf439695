// The tombstone that stands in for a state that is damaged on the broker's disk. It answers a device that edited the state.

extension Change {
  // The index `record_lost` of the store names it too.
  private static let damagedType = RecordType(stored: "Damaged")

  /// Creates the tombstone in place of a damaged state.
  /// - Parameter stamp: When and on whose behalf the state was replaced, with the request number zero; the epoch if it is
  ///   only read.
  package init(
    inPlaceOfDamaged name: RecordName, tag: Revision,
    stamp: Stamp = Stamp(
      time: Timestamp(microseconds: 0),
      origin: Origin(account: AccountID(0), device: DeviceID(0), request: .zero))
  ) {
    self.init(
      name: name, tag: tag, kind: .deleted, type: Self.damagedType, created: stamp,
      modified: stamp, record: .empty)
  }

  /// Whether the state is such a tombstone. Any state that a device has is later.
  package var isOfDamaged: Bool {
    kind == .deleted && modified.origin.request == .zero && type == Self.damagedType
  }
}
