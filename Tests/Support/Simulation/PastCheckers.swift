// What must be true of the past once everything is quiet: the broker has every state that was and
// was not erased, and nobody has anything that was.

import BrokerCore
import BrokerStore
import DeviceStore
import Records

extension Checkers {
  /// A device's trash holds what is deleted and was not erased, and nothing else. What went there
  /// before the broker ever had it is that device's alone: no other's emptying was about it.
  func trashIsTrue(_ device: SimulatedDevice) throws {
    guard let account else { return }
    for item in try device.replica.reader.trash(before: nil, limit: 1000) {
      let zone = item.id.zone.resolved(for: account)
      let newest = history.newest[RecordID(zone: zone, name: item.id.name)]
      guard let newest else { continue }
      guard newest.change.kind == .deleted else {
        throw InvariantViolation(
          "trash", "device \(device.index) has \(item.id) in its trash, which is there")
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
    // Every device imports the same: what was deleted before it was sent is like what others sent.
    if item.id.name.text.hasPrefix("bundled-") { return false }
    let states = history.byZone[zone] ?? []
    return try states.contains {
      try $0.change.name == item.id.name && $0.change.record.fields() == item.fields
    }
  }

  /// The broker has the earlier states of each record, and each zone's trash, as they were.
  func brokerKeepsThePast(_ store: SQLiteRecordStore) throws {
    guard let account else { return }
    let identity = SessionIdentity(
      container: 1, account: account, accountKey: 1, device: DeviceID(0), deviceKey: 0)
    for (zone, entries) in history.byZone where !history.deletedZones.contains(zone) {
      let erased = history.erased[zone] ?? .zero
      var wanted: Set<RecordName> = []
      for (name, entries) in Dictionary(grouping: entries, by: \.change.name) {
        let states = entries.map(\.change)
        try pastIsTrue(RecordID(zone: zone, name: name), states, erased: erased, store, identity)
        if Self.isInTrash(states, erased: erased) { wanted.insert(name) }
      }
      let trash = try store.trash(zone, below: nil, of: identity)
      let found = Set(trash.items.map(\.tombstone.name))
      guard found == wanted || history.hasReaped && found.isSubset(of: wanted) else {
        throw InvariantViolation(
          "trash", "the broker's trash of \(zone) has \(trash.items.map(\.tombstone.name))")
      }
    }
  }

  /// Whether a record with these states is deleted and what it was last can be brought back. A tombstone
  /// that takes the id of a move later brings back nothing that was erased before.
  private static func isInTrash(_ states: [Change], erased: Revision) -> Bool {
    guard states.last?.kind == .deleted, let last = states.last(where: { $0.kind == .saved }),
      let tombstone = states.first(where: { $0.tag > last.tag })
    else { return false }
    return tombstone.tag > erased
  }

  private func pastIsTrue(
    _ id: RecordID, _ states: [Change], erased: Revision, _ store: SQLiteRecordStore,
    _ identity: SessionIdentity
  ) throws {
    let floor = states.last { $0.kind == .deleted && $0.tag <= erased }?.tag ?? .zero
    let expected = states.dropLast().filter { $0.tag > floor }.suffix(
      Limits.earlierVersionsPerRecord)
    let page = try store.history(id, below: nil, of: identity)
    // A tombstone that is reaped takes what was before it along.
    let isWhole = page.states.count == expected.count || history.hasReaped
    let kept = Array(expected.suffix(page.states.count).reversed())
    guard isWhole, page.states.map(\.change.tag) == kept.map(\.tag),
      page.states.map(\.change.record) == kept.map(\.record)
    else {
      throw InvariantViolation(
        "past",
        "the broker has \(page.states.map(\.change.tag)) of \(id), not "
          + "\(expected.map(\.tag)); its states were \(states.map { ($0.tag, $0.kind) }), "
          + "erased through \(erased)")
    }
  }
}
