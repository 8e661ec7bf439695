import Records

/// Records of one type in one zone whose dates or authors changed while their fields stayed, usually because the broker
/// confirmed an edit. This is no event of the log: people see no change of the record.
package struct ConfirmedRecords: Hashable, Sendable {
  /// The zone of the records.
  package let zone: ZoneID
  /// Their type.
  package let type: RecordType

  package init(zone: ZoneID, type: RecordType) {
    self.zone = zone
    self.type = type
  }
}
