import Records

extension MiniBroker {
  /// Damages the newest state of a record of the standard zone, and all that is stored with it.
  package func damage(_ name: String) {
    damage([RecordName(stored: name)], in: ZoneID.standard.resolved(for: account))
  }

  /// Damages the newest states of records, and all that is stored with them.
  func damage(_ names: Set<RecordName>, in id: ZoneID) {
    for record in names.compactMap({ zones[id]?.records[$0] }) {
      zones[id]?.records[record.name] = Change(inPlaceOfDamaged: record.name, tag: record.tag)
    }
  }
}
