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
  /// Where records of a name were moved to and from. What is said about an edit of one of them is asked
  /// of all of these, because the edit follows the record.
  private(set) var homes: [RecordName: Set<ZoneID>] = [:]
  private(set) var zones: [ZoneID] = [.standard]
  private var count = 0
  private let habits: Climate.Habits
  private let keys: [FieldKey] = ["firstName", "lastName", "company"]
  private static let contact = RecordType(stored: "Contact")
  private static let note = RecordType(stored: "Note")

  init(habits: Climate.Habits) {
    self.habits = habits
  }

  /// What device `index`, which shows `records`, does next.
  /// - Parameter mayMove: not on a device of the first release: it moves without ids, and what then
  ///   meets an edit is in two groups.
  mutating func next(
    on index: Int, showing records: [RecordView], groups: [GroupView], mayMove: Bool,
    dice: inout Dice
  ) -> [LocalEdit] {
    let drawn = dice.below(100)
    if drawn < habits.groups { return [changeOfGroup(on: index, groups, dice: &dice)] }
    if drawn < habits.groups + habits.deletions, let edit = deletion(on: index, records, &dice) {
      return [edit]
    }
    if mayMove, dice.happens(percent: habits.moves), let move = move(records, groups, dice: &dice) {
      return move
    }
    let times = dice.happens(percent: habits.several) ? 3 : 1
    return (0..<times).map { _ in
      dice.happens(percent: habits.notes)
        ? note(on: index, showing: records, groups: groups, dice: &dice)
        : save(on: index, groups: groups, dice: &dice)
    }
  }

  /// A contact goes to another group that has none of its name.
  private mutating func move(
    _ records: [RecordView], _ groups: [GroupView], dice: inout Dice
  ) -> [LocalEdit]? {
    let contacts = records.filter { $0.type == Self.contact }
    guard let record = contacts.randomElement(using: &dice),
      let target = groups.map(\.zone).filter({ $0 != record.id.zone }).randomElement(using: &dice),
      !records.contains(where: { $0.id == RecordID(zone: target, name: record.id.name) })
    else { return nil }
    count += 1
    homes[record.id.name, default: []].formUnion([target, record.id.zone])
    return [
      .save(
        LocalEdit.RecordSave(
          id: RecordID(zone: target, name: record.id.name), type: record.type,
          changes: FieldChanges(set: record.fields), expectation: .absent)),
      .delete(record.id, version: nil),
    ]
  }

  /// What a program does that nobody watches: it brings contacts, or deletes some or all of a group.
  mutating func unconfirmed(
    on index: Int, showing records: [RecordView], groups: [GroupView], dice: inout Dice
  ) -> [LocalEdit] {
    let zone = groups.map(\.zone).randomElement(using: &dice) ?? .standard
    let brought = records.filter { $0.id.zone == zone && $0.type == Self.contact }
    guard dice.happens(percent: 50), !brought.isEmpty else {
      return (0..<DeletionGuard.freeDeletions + 4).map {
        save(Self.id("i\($0)", in: zone), on: index, dice: &dice)
      }
    }
    count += 1
    return brought.prefix(1 + dice.below(brought.count)).map { record in
      lastDeletion[Self.mark(index, record.id)] = count
      return .delete(record.id, version: nil)
    }
  }

  private mutating func changeOfGroup(
    on index: Int, _ groups: [GroupView], dice: inout Dice
  ) -> LocalEdit {
    guard dice.happens(percent: 50),
      let group = groups.filter({ $0.zone.name != .standard }).randomElement(using: &dice)
    else { return createZone(dice: &dice) }
    count += 1
    guard dice.happens(percent: 30) else {
      return .renameZone(group.zone, title: "group-\(count)")
    }
    lastGroupDeletion["\(index) \(group.zone)"] = count
    return .deleteZone(group.zone)
  }

  private mutating func deletion(
    on index: Int, _ records: [RecordView], _ dice: inout Dice
  ) -> LocalEdit? {
    let choices = records.filter { [Self.contact, Self.note].contains($0.type) }
    guard let record = choices.randomElement(using: &dice) else { return nil }
    count += 1
    lastDeletion[Self.mark(index, record.id)] = count
    return .delete(record.id, version: nil)
  }

  /// A note that goes with something else of its group, or only names it; what it names may be on its
  /// way, or nowhere.
  private mutating func note(
    on index: Int, showing records: [RecordView], groups: [GroupView], dice: inout Dice
  ) -> LocalEdit {
    let zone = groups.map(\.zone).randomElement(using: &dice) ?? .standard
    let id = Self.id("n\(dice.below(5))", in: zone)
    count += 1
    let text = Value.string("\(index)-\(count)")
    edits.append(Edit(device: index, id: id, key: "text", value: text, order: count))
    var changes = FieldChanges(set: ["text": text])
    let others = records.filter { $0.id.zone == zone && $0.type != Conflict.recordType }
    let other =
      dice.happens(percent: 10)
      ? Self.id("r\(dice.below(6))", in: zone).name : others.randomElement(using: &dice)?.id.name
    switch dice.below(10) {
    case 0: changes.removed = ["about"]
    case 1, 2:
      if let other { changes.set["see"] = .reference(Reference(record: other, action: .none)) }
    case 3: break
    default:
      if let other {
        changes.set["about"] = .reference(Reference(record: other, action: .deleteSelf))
      }
    }
    return .save(LocalEdit.RecordSave(id: id, type: Self.note, changes: changes))
  }

  /// A photo for the record of the last edit, now and then; mostly a new one, of several pieces.
  mutating func photo(
    for edits: [LocalEdit], on index: Int, dice: inout Dice
  ) -> (edits: [LocalEdit], asset: Asset, content: [UInt8])? {
    guard edits.count == 1, case .save(let save)? = edits.last, save.type == Self.contact,
      dice.happens(percent: habits.photos)
    else {
      return nil
    }
    count += 1
    // A number that others may draw too: then both send the same file.
    let seed = dice.happens(percent: 20) ? dice.below(3) : 1000 + count
    let length = 1 + dice.below(5) * 30_000
    let content = SimulatedDisk.photo(seed, byteCount: length)
    let asset = Asset(SimulatedDisk.digest(of: content), sizeBytes: content.count)
    self.edits.append(
      Edit(device: index, id: save.id, key: "photo", value: .asset(asset), order: count))
    let photo = LocalEdit.RecordSave(
      id: save.id, type: save.type, changes: FieldChanges(set: ["photo": .asset(asset)]))
    return (edits + [.keepAsset(asset), .save(photo)], asset, content)
  }

  /// A new group.
  mutating func createZone(dice: inout Dice) -> LocalEdit {
    count += 1
    // Few titles: two devices that are apart make groups of one title.
    return .createZone(ZoneID(name: .random(using: &dice)), title: "group-\(count % 5)")
  }

  private mutating func save(on index: Int, groups: [GroupView], dice: inout Dice) -> LocalEdit {
    let zone = groups.map(\.zone).randomElement(using: &dice) ?? .standard
    return save(Self.id("r\(dice.below(6))", in: zone), on: index, dice: &dice)
  }

  /// A record that devices make independently of each other in one zone. Names are drawn at random where
  /// people make records: those of two zones are never the same.
  private static func id(_ name: String, in zone: ZoneID) -> RecordID {
    let home = zone.name == .standard ? "" : "-\("\(zone.name)".prefix(8))"
    return RecordID(zone: zone, name: RecordName(stored: name + home))
  }

  private mutating func save(_ id: RecordID, on index: Int, dice: inout Dice) -> LocalEdit {
    let key = keys[dice.below(keys.count)]
    count += 1
    let value = Value.string("\(index)-\(count)")
    edits.append(Edit(device: index, id: id, key: key, value: value, order: count))
    return .save(
      LocalEdit.RecordSave(
        id: id, type: Self.contact, changes: FieldChanges(set: [key: value])))
  }

  /// What a device did to a record was taken back there.
  mutating func undone(_ id: RecordID, on index: Int) {
    count += 1
    lastDeletion[Self.mark(index, id)] = count
  }

  /// Forgets edits that the device refused: nobody was told that they were saved.
  mutating func takeBack(_ refused: [LocalEdit]) {
    let values = refused.flatMap { edit -> [Value] in
      guard case .save(let save) = edit else { return [] }
      return save.changes.set.all.map(\.value)
    }
    edits.removeAll { values.contains($0.value) }
  }

  /// The last time the device deleted the record, or one of its name where records of it were moved.
  func lastDeletion(of id: RecordID, on device: Int) -> Int {
    zonesOf(id).compactMap { lastDeletion[Self.mark(device, RecordID(zone: $0, name: id.name))] }
      .max() ?? -1
  }

  /// Where a record may be that was edited in a zone.
  func zonesOf(_ id: RecordID) -> Set<ZoneID> { homes[id.name, default: []].union([id.zone]) }

  static func mark(_ device: Int, _ id: RecordID) -> String { "\(device) \(id)" }
}
