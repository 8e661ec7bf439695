import Records

extension MiniBroker {
  /// Damages the newest state of a record, and all that is stored with it.
  package func damage(_ name: String) {
    let id = ZoneID.standard.resolved(for: account)
    let name = RecordName(stored: name)
    guard let tag = zones[id]?.records[name]?.tag else { return }
    zones[id]?.records[name] = Change(inPlaceOfDamaged: name, tag: tag)
  }
}
