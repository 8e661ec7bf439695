import AddressBook
import DeviceStore
import Records
import SyncCore

extension World {
  /// Undoes an action, restores a record or empties the trash on device `index`. The result is checked at
  /// once on the device, and at the end everywhere.
  mutating func undoOrRestore(on index: Int) throws {
    switch generator.below(8) {
    case 0: try emptyTrash(on: index)
    case 1, 2, 3: try restore(on: index)
    default: try undo(on: index)
    }
  }

  // MARK: Undo

  private mutating func undo(on index: Int) throws {
    let choices = try devices[index].replica.reader.actions(limit: 6).filter { $0.undoneBy == nil }
    guard let action = choices.randomElement(using: &generator) else { return }
    let before = try shown(on: index)
    let report = try undo(action.id, on: index)
    guard let own = report.action, generator.happens(percent: 40) else { return }
    let again = try undo(own, on: index)
    // The second undo must restore the state before the first one, unless a group received a new id.
    let hasGroups = (report.setBack + again.setBack).contains { $0.name == nil }
    guard !hasGroups else { return }
    let after = try shown(on: index)
    guard again.leftAlone.isEmpty, after == before else {
      let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      throw InvariantViolation(
        "undo",
        "device \(index) undid \(action.kind) \(action.id) and redid it, and now shows "
          + differing.map { "\($0): \(String(describing: after[$0]))" }.joined(separator: "; ")
          + " \(again.leftAlone)")
    }
  }

  private mutating func undo(_ number: Int64, on index: Int) throws -> UndoReport {
    // Undoing the creation of a group deletes it.
    let groups = try devices[index].replica.reader.groups()
    for group in groups {
      deletions.deletes(checkers.owned(group.zone), on: index)
    }
    let undone = try devices[index].replica.reader.actions(limit: 1000).first { $0.id == number }
    trace?("device \(index) undoes \(undone.map(String.init(describing:)) ?? "")")
    let (report, actions) = try devices[index].replica.undo(action: number, now: now)
    trace?("device \(index) has undone \(number): \(report)")
    for thing in report.setBack {
      guard let name = thing.name else {
        noteRestoration(of: thing.zone)
        continue
      }
      if groups.contains(where: { $0.zone == thing.zone }) {
        workload.undone(RecordID(zone: thing.zone, name: name), on: index)
      } else {
        workload.returned(name, in: thing.zone)
      }
      restoredRecords.insert(name)
    }
    try perform(actions, of: index)
    return report
  }

  private func shown(on index: Int) throws -> [RecordID: Fields] {
    let reader = devices[index].replica.reader
    let records = try reader.groups().flatMap { try reader.records(in: $0.zone) }
    return Dictionary(uniqueKeysWithValues: records.map { ($0.id, Self.typed($0.fields)) })
  }

  /// The fields without the move trail, which only devices read; a restored record has one more move in it.
  private static func typed(_ fields: Fields) -> Fields {
    var fields = fields
    fields[MoveTrail.field] = nil
    return fields
  }

  // MARK: Trash

  private mutating func restore(on index: Int) throws {
    let trash = try devices[index].replica.reader.trash(before: nil, limit: 1000)
    guard let item = trash.randomElement(using: &generator) else { return }
    trace?("device \(index) restores \(item.id)")
    restoredRecords.insert(item.id.name)
    do {
      let (records, _, actions) = try devices[index].replica.restore([item.id.name], now: now)
      try perform(actions, of: index)
      guard let id = records.first, let wanted = trash.first(where: { $0.id == id }),
        try devices[index].replica.reader.record(id).map({ Self.typed($0.fields) })
          == Self.typed(wanted.fields)
      else {
        throw InvariantViolation(
          "trash", "\(item.id) was restored on device \(index) with other fields")
      }
    } catch let error as RecordsError {
      // Its group was deleted.
      guard error.code == .zoneNotFound else { throw error }
    }
  }

  /// Restores a deleted group. Its records may have been moved elsewhere by a device that did not know of the deletion.
  /// - Returns: whether there was one.
  mutating func restoreGroup(on index: Int) throws -> Bool {
    let groups = try devices[index].replica.reader.deletedGroups()
    guard let group = groups.randomElement(using: &generator) else { return false }
    trace?("device \(index) restores the group \(group.zone)")
    noteRestoration(of: group.zone)
    let (_, actions) = try devices[index].replica.perform(
      [.restoreZone(group.zone)], as: UserAction(.restore), now: now)
    try perform(actions, of: index)
    report.groupRestorations += 1
    return true
  }

  private mutating func noteRestoration(of zone: ZoneID) {
    for id in checkers.history.newest.keys where id.zone == checkers.owned(zone) {
      restoredRecords.insert(id.name)
    }
  }

  private mutating func emptyTrash(on index: Int) throws {
    trace?("device \(index) empties its trash")
    let (_, actions) = try devices[index].replica.emptyTrash(now: now)
    try perform(actions, of: index)
    let rest = try devices[index].replica.reader.trash(before: nil, limit: 1000)
    guard rest.isEmpty else {
      throw InvariantViolation(
        "trash", "device \(index) emptied its trash and still has \(rest.count) records")
    }
  }
}
