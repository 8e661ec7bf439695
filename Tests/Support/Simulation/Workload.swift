// What people do in a simulated world: few records, few fields, so that edits meet; each value is
// used once, so that its fate can be told.

import DeviceStore
import Records
import SyncCore

/// A source of edits, and a memory of them.
package struct Workload {
  /// One value that somebody set on a device.
  struct Edit {
    let device: Int
    let id: RecordID
    let key: FieldKey
    let value: Value
    /// The edit's place among all edits.
    let order: Int
  }

  private(set) var edits: [Edit] = []
  /// The last edit or deletion a device made of a record or a field of it, by its order.
  private(set) var lastDeletion: [String: Int] = [:]
  /// The last time a device deleted a group, perhaps one that the broker never heard of.
  private(set) var lastGroupDeletion: [String: Int] = [:]
  private(set) var zones: [ZoneID] = [.standard]
  private var count = 0
  private let keys: [FieldKey] = ["firstName", "lastName", "company"]

  /// What device `index`, which shows `records`, does next.
  mutating func next(
    on index: Int, showing records: [RecordView], groups: [GroupView], dice: inout Dice
  ) -> [LocalEdit] {
    switch dice.below(20) {
    case 0: return [createZone(dice: &dice)]
    case 1:
      guard let group = groups.filter({ $0.zone.name != .standard }).randomElement(using: &dice)
      else { return [createZone(dice: &dice)] }
      count += 1
      if dice.happens(percent: 30) {
        lastGroupDeletion["\(index) \(group.zone)"] = count
        return [.deleteZone(group.zone)]
      }
      return [.renameZone(group.zone, title: "group-\(count)")]
    case 2, 3, 4:
      guard let record = records.filter({ $0.type.text == "Contact" }).randomElement(using: &dice)
      else { fallthrough }
      count += 1
      lastDeletion[Self.mark(index, record.id)] = count
      return [.delete(record.id, version: nil)]
    default:
      let times = dice.happens(percent: 15) ? 3 : 1
      return (0..<times).map { _ in save(on: index, groups: groups, dice: &dice) }
    }
  }

  /// A photo for the record of the last edit, now and then; mostly a new one, of several pieces.
  mutating func photo(
    for edits: [LocalEdit], on index: Int, dice: inout Dice
  ) -> (edits: [LocalEdit], asset: Asset, content: [UInt8])? {
    guard edits.count == 1, case .save(let save)? = edits.last, dice.happens(percent: 25) else {
      return nil
    }
    count += 1
    // A number that others may draw too: then both send the same file.
    let seed = dice.happens(percent: 20) ? dice.below(3) : 1000 + count
    let length = 1 + dice.below(5) * 30_000
    let content =
      (0..<length).map { UInt8(truncatingIfNeeded: $0 &+ seed &* 7) }
      + Array("\(seed)".utf8)
    let asset = Asset(SimulatedDisk.digest(of: content), sizeBytes: content.count)
    self.edits.append(
      Edit(device: index, id: save.id, key: "photo", value: .asset(asset), order: count))
    let photo = LocalEdit.RecordSave(
      id: save.id, type: save.type, changes: FieldChanges(set: ["photo": .asset(asset)]))
    return (edits + [.keepAsset(asset), .save(photo)], asset, content)
  }

  private mutating func createZone(dice: inout Dice) -> LocalEdit {
    count += 1
    return .createZone(ZoneID(name: .random(using: &dice)), title: "group-\(count)")
  }

  private mutating func save(on index: Int, groups: [GroupView], dice: inout Dice) -> LocalEdit {
    let zone = groups.map(\.zone).randomElement(using: &dice) ?? .standard
    let id = RecordID(zone: zone, name: RecordName(stored: "r\(dice.below(6))"))
    let key = keys[dice.below(keys.count)]
    count += 1
    let value = Value.string("\(index)-\(count)")
    edits.append(Edit(device: index, id: id, key: key, value: value, order: count))
    return .save(
      LocalEdit.RecordSave(
        id: id, type: RecordType(stored: "Contact"), changes: FieldChanges(set: [key: value])))
  }

  /// What a device did to a record was taken back there.
  mutating func undone(_ id: RecordID, on index: Int) {
    count += 1
    lastDeletion[Self.mark(index, id)] = count
  }

  /// Forgets edits that the device refused: nobody was told that they were saved.
  mutating func takeBack(_ refused: [LocalEdit]) {
    let values = refused.compactMap { edit -> Value? in
      guard case .save(let save) = edit else { return nil }
      return save.changes.set.all.first?.value
    }
    edits.removeAll { values.contains($0.value) }
  }

  static func mark(_ device: Int, _ id: RecordID) -> String { "\(device) \(id)" }
}
