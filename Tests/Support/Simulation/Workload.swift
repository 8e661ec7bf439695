// The edits in a simulated world, and a record of them.

import AddressBook
import DeviceStore
import Records
import SyncCore

/// The edits of people in a simulated world. Few records and few fields make edits meet; each value is used
/// once, so that the checkers can follow it.
package struct Workload {
  /// A value that a person set on a device.
  struct Edit {
    let device: Int
    let id: RecordID
    let key: FieldKey
    let value: Value
    /// The position of the edit among all edits.
    let order: Int
  }

  private(set) var edits: [Edit] = []
  /// The position of each device's last edit or deletion of a record or of one of its fields.
  private(set) var lastDeletion: [String: Int] = [:]
  /// The position of each device's last deletion of a group, which the broker may never have received.
  private(set) var lastGroupDeletion: [String: Int] = [:]
  /// The zones between which records of a name were moved. An edit follows its record, so the checkers look
  /// at all of these zones.
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

  /// Returns the next edits of device `index`, which shows `records`.
  /// - Parameter mayMove: `false` on a device that does not know move ids. It moves records without them, so a
  ///   record that is edited elsewhere at that time ends in two groups.
  mutating func next(
    on index: Int, showing records: [RecordView], groups: [GroupView], mayMove: Bool,
    generator: inout SimulationGenerator
  ) -> [LocalEdit] {
    let drawn = generator.below(100)
    if drawn < habits.groups {
      return changeOfGroup(
        on: index, groups, records, mayMove: mayMove, generator: &generator)
    }
    if drawn < habits.groups + habits.deletions, let edit = deletion(on: index, records, &generator)
    {
      return [edit]
    }
    if mayMove, generator.happens(percent: habits.moves),
      let move = move(records, groups, generator: &generator)
    {
      return move
    }
    let times = generator.happens(percent: habits.several) ? 3 : 1
    return (0..<times).map { _ in
      generator.happens(percent: habits.notes)
        ? note(on: index, showing: records, groups: groups, generator: &generator)
        : save(on: index, groups: groups, generator: &generator)
    }
  }

  /// Moves a contact to a group that has no contact of its name.
  private mutating func move(
    _ records: [RecordView], _ groups: [GroupView], generator: inout SimulationGenerator
  ) -> [LocalEdit]? {
    let contacts = records.filter { $0.type == Self.contact }
    guard let record = contacts.randomElement(using: &generator),
      let target = groups.map(\.zone).filter({ $0 != record.id.zone }).randomElement(
        using: &generator),
      !records.contains(where: { $0.id == RecordID(zone: target, name: record.id.name) })
    else { return nil }
    count += 1
    homes[record.id.name, default: []].formUnion([target, record.id.zone])
    return Self.move(record, to: target)
  }

  /// Returns edits of a program without a person's confirmation: it adds contacts, or deletes some or all of
  /// a group.
  mutating func unconfirmed(
    on index: Int, showing records: [RecordView], groups: [GroupView],
    generator: inout SimulationGenerator
  ) -> [LocalEdit] {
    let zone = groups.map(\.zone).randomElement(using: &generator) ?? .standard
    let brought = records.filter { $0.id.zone == zone && $0.type == Self.contact }
    guard generator.happens(percent: 50), !brought.isEmpty else {
      return (0..<DeletionGuard.freeDeletions + 4).map {
        save(Self.id("i\($0)", in: zone), on: index, generator: &generator)
      }
    }
    count += 1
    return brought.prefix(1 + generator.below(brought.count)).map { record in
      lastDeletion[Self.mark(index, record.id)] = count
      return .delete(record.id, version: nil)
    }
  }

  /// - Parameter mayMove: whether a group's contacts may be kept when it is deleted. Notes are never moved.
  private mutating func changeOfGroup(
    on index: Int, _ groups: [GroupView], _ records: [RecordView], mayMove: Bool,
    generator: inout SimulationGenerator
  ) -> [LocalEdit] {
    let own = groups.filter { $0.zone.name != .standard }
    guard generator.happens(percent: own.count < 2 ? 40 : 80),
      let group = own.randomElement(using: &generator)
    else { return [createZone(generator: &generator)] }
    count += 1
    let shown = records.count { $0.id.zone == group.zone }
    // Groups with contacts are deleted more often: the others leave nothing to restore.
    guard generator.happens(percent: shown > 0 ? 80 : 20) else {
      return [.renameZone(group.zone, title: "group-\(count)")]
    }
    let isKeeping = mayMove && generator.happens(percent: 30)
    let moves = isKeeping ? moveAll(records, from: group.zone) : []
    if moves.count / 2 < shown || !isKeeping {
      lastGroupDeletion["\(index) \(group.zone)"] = count
    }
    return moves + [.deleteZone(group.zone)]
  }

  /// Moves the contacts of a group that is deleted to the standard zone, except those whose name it has.
  private mutating func moveAll(_ records: [RecordView], from zone: ZoneID) -> [LocalEdit] {
    let taken = Set(records.filter { $0.id.zone == .standard }.map(\.id.name))
    let moved = records.filter {
      $0.id.zone == zone && $0.type == Self.contact && !taken.contains($0.id.name)
    }
    return moved.flatMap { record in
      homes[record.id.name, default: []].formUnion([zone, .standard])
      return Self.move(record, to: .standard)
    }
  }

  private static func move(_ record: RecordView, to target: ZoneID) -> [LocalEdit] {
    [
      .save(
        LocalEdit.RecordSave(
          id: RecordID(zone: target, name: record.id.name), type: record.type,
          changes: FieldChanges(set: record.fields), expectation: .absent)),
      .delete(record.id, version: nil),
    ]
  }

  private mutating func deletion(
    on index: Int, _ records: [RecordView], _ generator: inout SimulationGenerator
  ) -> LocalEdit? {
    let choices = records.filter { [Self.contact, Self.note].contains($0.type) }
    guard let record = choices.randomElement(using: &generator) else { return nil }
    count += 1
    lastDeletion[Self.mark(index, record.id)] = count
    return .delete(record.id, version: nil)
  }

  /// Returns a note that refers to another record of its group, with or without being deleted with it. The
  /// other record may be in transit, or not exist.
  private mutating func note(
    on index: Int, showing records: [RecordView], groups: [GroupView],
    generator: inout SimulationGenerator
  ) -> LocalEdit {
    let zone = groups.map(\.zone).randomElement(using: &generator) ?? .standard
    let id = Self.id("n\(generator.below(5))", in: zone)
    count += 1
    let text = Value.string("\(index)-\(count)")
    edits.append(Edit(device: index, id: id, key: "text", value: text, order: count))
    var changes = FieldChanges(set: ["text": text])
    let others = records.filter { $0.id.zone == zone && $0.type != ConflictRecord.recordType }
    let other =
      generator.happens(percent: 10)
      ? Self.id("r\(generator.below(6))", in: zone).name
      : others.randomElement(using: &generator)?.id.name
    switch generator.below(10) {
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

  /// Sometimes adds a photo to the record of the last edit, usually a new one of several chunks.
  mutating func photo(
    for edits: [LocalEdit], on index: Int, generator: inout SimulationGenerator
  ) -> (edits: [LocalEdit], asset: Asset, content: [UInt8])? {
    guard edits.count == 1, case .save(let save)? = edits.last, save.type == Self.contact,
      generator.happens(percent: habits.photos)
    else {
      return nil
    }
    count += 1
    // A photo that other devices may save too, so that several send the same file.
    let seed = generator.happens(percent: 20) ? generator.below(3) : 1000 + count
    let length = 1 + generator.below(5) * 30_000
    let content = SimulatedDisk.photo(seed, byteCount: length)
    let asset = Asset(SimulatedDisk.digest(of: content), sizeBytes: content.count)
    self.edits.append(
      Edit(device: index, id: save.id, key: "photo", value: .asset(asset), order: count))
    let photo = LocalEdit.RecordSave(
      id: save.id, type: save.type, changes: FieldChanges(set: ["photo": .asset(asset)]))
    return (edits + [.keepAsset(asset), .save(photo)], asset, content)
  }

  /// Creates a group.
  mutating func createZone(generator: inout SimulationGenerator) -> LocalEdit {
    count += 1
    // Few titles, so that two disconnected devices create groups of the same title.
    return .createZone(ZoneID(name: .random(using: &generator)), title: "group-\(count % 5)")
  }

  private mutating func save(
    on index: Int, groups: [GroupView], generator: inout SimulationGenerator
  ) -> LocalEdit {
    let zone = groups.map(\.zone).randomElement(using: &generator) ?? .standard
    return save(Self.id("r\(generator.below(6))", in: zone), on: index, generator: &generator)
  }

  /// A record that several devices may create in the same zone. Names are random where people create records,
  /// so the names of two zones never coincide.
  private static func id(_ name: String, in zone: ZoneID) -> RecordID {
    let home = zone.name == .standard ? "" : "-\("\(zone.name)".prefix(8))"
    return RecordID(zone: zone, name: RecordName(stored: name + home))
  }

  private mutating func save(_ id: RecordID, on index: Int, generator: inout SimulationGenerator)
    -> LocalEdit
  {
    let key = keys[generator.below(keys.count)]
    count += 1
    let value = Value.string("\(index)-\(count)")
    edits.append(Edit(device: index, id: id, key: key, value: value, order: count))
    return .save(
      LocalEdit.RecordSave(
        id: id, type: Self.contact, changes: FieldChanges(set: [key: value])))
  }

  /// Records that a device undid its edits of a record.
  mutating func undone(_ id: RecordID, on index: Int) {
    count += 1
    lastDeletion[Self.mark(index, id)] = count
  }

  /// Records that a device undid the deletion of a group, so that a record returned in a new group.
  mutating func returned(_ name: RecordName, in zone: ZoneID) {
    homes[name, default: []].insert(zone)
  }

  /// Forgets the edits since `earlier`, which the device rejected. Moves save values of earlier edits, which stay.
  mutating func takeBack(to earlier: Workload) {
    // Each value is used once.
    let used = count
    self = earlier
    count = used
  }

  /// Returns the position of the device's last deletion of the record, in any zone that it was moved between.
  func lastDeletion(of id: RecordID, on device: Int) -> Int {
    zonesOf(id).compactMap { lastDeletion[Self.mark(device, RecordID(zone: $0, name: id.name))] }
      .max() ?? -1
  }

  /// Returns the zones in which a record that was edited in one zone may be.
  func zonesOf(_ id: RecordID) -> Set<ZoneID> { homes[id.name, default: []].union([id.zone]) }

  static func mark(_ device: Int, _ id: RecordID) -> String { "\(device) \(id)" }
}
