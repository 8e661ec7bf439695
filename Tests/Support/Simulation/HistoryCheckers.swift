// What must be true of earlier versions and the trash when the world is settled: the broker has every state
// that was not erased, and no device has an erased one.

import BrokerCore
import BrokerStore
import DeviceStore
import Records

extension Checkers {
  /// A device's trash contains the deleted records that were not erased, and nothing else. A record that was
  /// deleted before the broker had it is in that device's trash alone; emptying another trash does not affect
  /// it.
  func trashIsCorrect(_ device: SimulatedDevice) throws {
    guard let account else { return }
    for item in try device.replica.reader.trash(before: nil, limit: 1000) {
      let zone = item.id.zone.resolved(for: account)
      let newest = history.newest[RecordID(zone: zone, name: item.id.name)]
      guard let newest else { continue }
      guard newest.change.kind == .deleted else {
        throw InvariantViolation(
          "trash", "device \(device.index) has \(item.id) in its trash, which is not deleted")
      }
      guard try newest.change.tag > history.erased[zone] ?? .zero || !wasCommitted(item, zone)
      else {
        throw InvariantViolation(
          "trash",
          "device \(device.index) still has \(item.id), deleted at \(newest.change.tag), "
            + "erased through \(history.erased[zone] ?? .zero)")
      }
    }
  }

  private func wasCommitted(_ item: DiscardedView, _ zone: ZoneID) throws -> Bool {
    if item.isSynced { return true }
    // Every device imports the same contacts, so one deleted before it was sent matches what other devices
    // sent.
    if item.id.name.text.hasPrefix("bundled-") { return false }
    let states = history.byZone[zone] ?? []
    return try states.contains {
      try $0.change.name == item.id.name && $0.change.record.fields() == item.fields
    }
  }

  /// The broker has all earlier versions of each record, and the trash of each zone.
  func brokerRetainsHistory(_ store: any RecordStore) throws {
    guard let account else { return }
    let identity = SessionIdentity(
      container: 1, account: account, accountKey: 1, device: DeviceID(0), deviceKey: 0)
    for (zone, entries) in history.byZone where !history.deletedZones.contains(zone) {
      let erased = history.erased[zone] ?? .zero
      var wanted: Set<RecordName> = []
      for (name, entries) in Dictionary(grouping: entries, by: \.change.name) {
        let states = entries.map(\.change)
        try historyIsCorrect(
          RecordID(zone: zone, name: name), states, erased: erased, store, identity)
        if Self.isInTrash(states, erased: erased) { wanted.insert(name) }
      }
      let trash = try store.trash(zone, below: nil, of: identity)
      let found = Set(trash.items.map(\.tombstone.name))
      guard found == wanted || history.hasExpiredTombstones && found.isSubset(of: wanted) else {
        throw InvariantViolation(
          "trash", "the broker's trash of \(zone) has \(trash.items.map(\.tombstone.name))")
      }
    }
  }

  /// Whether a record with these states is deleted and can be restored. If a tombstone later receives the id
  /// of a move, states that were erased before stay erased.
  private static func isInTrash(_ states: [Change], erased: Revision) -> Bool {
    guard states.last?.kind == .deleted, let last = states.last(where: { $0.kind == .saved }),
      let tombstone = states.first(where: { $0.tag > last.tag })
    else { return false }
    return tombstone.tag > erased
  }

  private func historyIsCorrect(
    _ id: RecordID, _ states: [Change], erased: Revision, _ store: any RecordStore,
    _ identity: SessionIdentity
  ) throws {
    let floor = states.last { $0.kind == .deleted && $0.tag <= erased }?.tag ?? .zero
    let expected = states.dropLast().filter { $0.tag > floor }.suffix(
      Limits.earlierVersionsPerAuthor)
    let page = try store.history(id, below: nil, of: identity)
    // When a tombstone expires, the earlier versions of its record do too.
    let isWhole = page.states.count == expected.count || history.hasExpiredTombstones
    let kept = Array(expected.suffix(page.states.count).reversed())
    guard isWhole, page.states.map(\.change.tag) == kept.map(\.tag),
      page.states.map(\.change.record) == kept.map(\.record)
    else {
      throw InvariantViolation(
        "history",
        "the broker has \(page.states.map(\.change.tag)) of \(id), not "
          + "\(expected.map(\.tag)); its states were \(states.map { ($0.tag, $0.kind) }), "
          + "erased through \(erased)")
    }
  }
}
