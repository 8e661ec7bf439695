// The expected contents of a world whose broker loses data.

import AddressBook
import DeviceStore
import Records
import SyncCore

/// What people saved and deleted in a world whose broker loses data, and what must be true at the end.
struct RestoreMemory {
  /// The records and zones that no device has any more.
  struct DeletedEverywhere: Equatable {
    var records: Set<RecordName> = []
    var zones: Set<ZoneID> = []
  }

  private struct Place: Hashable {
    let id: RecordID
    let key: FieldKey
  }

  private(set) var deletedEverywhere = DeletedEverywhere()
  private var deletedRecords: Set<RecordName> = []
  private var deletedZones: Set<ZoneID> = []
  /// The last value that each device gave to a field.
  private var values: [Place: [Int: Value]] = [:]
  private var count = 0

  /// Returns a value that was not used before.
  mutating func nextValue() -> Value {
    count += 1
    return .string("value \(count)")
  }

  /// Returns a record name that was not used before.
  mutating func nextName() -> RecordName {
    count += 1
    return RecordName(stored: "record-\(count)")
  }

  mutating func saved(_ id: RecordID, _ key: FieldKey, _ value: Value, on device: Int) {
    // A device that did not know of the deletion was sent the record again, and its user edited it.
    deletedEverywhere.records.remove(id.name)
    deletedEverywhere.zones.remove(id.zone)
    values[Place(id: id, key: key), default: [:]][device] = value
  }

  mutating func deleted(_ name: RecordName) { deletedRecords.insert(name) }

  mutating func deleted(_ zone: ZoneID) { deletedZones.insert(zone) }

  /// The broker was rewound: what was saved and deleted before need not stay so.
  mutating func forget() {
    (values, deletedRecords, deletedZones) = ([:], [], [])
    deletedEverywhere = DeletedEverywhere()
  }

  /// The records that a backup may bring back among those that the broker lost to damage and that no device has. If a person
  /// deleted one, devices repeat that, unless a rewind has undone it since. The rewound broker then had the record until it
  /// was damaged, and only a backup has it.
  func returning(among lost: Set<RecordName>) -> Set<RecordName> {
    lost.subtracting(deletedRecords)
  }

  /// Records which deletions have reached every device. The world is settled.
  mutating func recordDeletions(_ devices: [SimulatedDevice]) throws {
    deletedEverywhere = DeletedEverywhere(records: deletedRecords, zones: deletedZones)
    for device in devices { try subtractShown(by: device) }
  }

  private mutating func subtractShown(by device: SimulatedDevice) throws {
    let shown = try Self.shown(by: device)
    deletedEverywhere.zones.subtract(shown.keys)
    for records in shown.values { deletedEverywhere.records.subtract(records.keys) }
  }

  /// What a device shows, with the conflicts that it lists.
  struct Contents {
    private let shown: [ZoneID: [RecordName: Fields]]
    private let conflicts: Set<RecordID>

    private init(shown: [ZoneID: [RecordName: Fields]], conflicts: Set<RecordID>) {
      self.shown = shown
      self.conflicts = conflicts
    }

    init(of device: SimulatedDevice) throws {
      shown = try RestoreMemory.shown(by: device)
      // Also those that are not listed, because their record is in the trash: it may come back.
      let reader = device.replica.reader
      conflicts = Set(
        try reader.groups().flatMap { try reader.records(in: $0.zone) }
          .filter { $0.type == ConflictRecord.recordType }.map(\.id))
    }

    /// Checks that a device shows the same after the broker was rewound, that no conflict arose that no device had, and that
    /// the other records that it had shown are in its trash. A group that was made later stays, without contacts.
    func checkRewound(
      _ device: SimulatedDevice, from before: Contents, all: [Contents]
    ) throws {
      let found = try Contents(of: device)
      let groups = found.shown.filter { shown[$0.key] != nil || !$0.value.isEmpty }
      guard groups == shown else {
        throw InvariantViolation(
          "I27",
          "rewound device \(device.index) shows \(RestoreMemory.difference(groups, shown))")
      }
      let new = found.conflicts.subtracting(conflicts).subtracting(all.flatMap(\.conflicts))
      guard new.isEmpty else {
        throw InvariantViolation(
          "I27", "a rewind made conflicts on device \(device.index): \(new.map(\.name))")
      }
      let trash = Set(
        try device.replica.reader.trash(before: nil, limit: .max).map(\.id.name))
      let kept = Set(shown.values.flatMap(\.keys))
      for name in before.shown.values.flatMap(\.keys)
      where !kept.contains(name) && !trash.contains(name) {
        throw InvariantViolation("I27", "\(name) is not in the trash of device \(device.index)")
      }
    }

    /// Checks that a device shows the same after a restore during which there were no edits.
    /// - Parameter mayReturn: The records that it may show besides, if the backup has them.
    func check(_ device: SimulatedDevice, mayReturn: Set<RecordName>) throws {
      let found = try Contents(of: device).without(mayReturn, exceptIn: self)
      guard found.shown == shown else {
        throw InvariantViolation(
          "I26",
          "after a restore device \(device.index) shows \(RestoreMemory.difference(found.shown, shown))"
        )
      }
      guard found.conflicts.count <= conflicts.count else {
        throw InvariantViolation(
          "I26",
          "a restore made \(found.conflicts.count - conflicts.count) conflicts on device \(device.index)"
        )
      }
    }

    /// Returns the contents without records of these names that `other` does not have.
    private func without(_ names: Set<RecordName>, exceptIn other: Contents) -> Contents {
      let pairs = shown.map { zone, records in
        let known = other.shown[zone] ?? [:]
        return (zone, records.filter { known[$0.key] != nil || !names.contains($0.key) })
      }
      let isKept = { (id: RecordID) in other.conflicts.contains(id) || !names.contains(id.name) }
      return Contents(
        shown: Dictionary(uniqueKeysWithValues: pairs), conflicts: conflicts.filter(isKept))
    }
  }

  fileprivate static func shown(
    by device: SimulatedDevice
  ) throws -> [ZoneID: [RecordName: Fields]] {
    let reader = device.replica.reader
    let groups = try reader.groups().map { group in
      let records = try reader.records(in: group.zone).filter { $0.type.text == "Contact" }
        .map { ($0.id.name, $0.fields) }
      return (group.zone, Dictionary(records, uniquingKeysWith: { first, _ in first }))
    }
    return Dictionary(groups, uniquingKeysWith: { first, _ in first })
  }

  /// Checks that all devices show the same, no value is lost and no deleted record returned.
  func check(_ devices: [SimulatedDevice]) throws {
    let views = try devices.map(Self.shown(by:))
    guard let first = views.first else { return }
    for (device, view) in zip(devices, views) where view != first {
      throw InvariantViolation(
        "I9", "device \(device.index) and device 0 show \(Self.difference(view, first))")
    }
    try checkNothingReturned(in: first)
    let losers = try devices.flatMap { try $0.replica.reader.conflicts() }
      .flatMap { [$0.losing, $0.winning].compactMap(\.self) }
    let elsewhere = try devices.flatMap { device in
      try device.replica.reader.trash(before: nil, limit: .max).map(\.id.name)
        + device.replica.reader.rejectedEdits().compactMap(\.name)
    }
    try checkNothingIsLost(in: first, losers: Set(losers), elsewhere: Set(elsewhere))
  }

  fileprivate static func difference(
    _ one: [ZoneID: [RecordName: Fields]], _ other: [ZoneID: [RecordName: Fields]]
  ) -> String {
    var parts: [String] = []
    for zone in Set(one.keys).union(other.keys).sorted() {
      guard let here = one[zone], let there = other[zone] else {
        parts.append("\(zone) \(one[zone] == nil ? "not" : "") here")
        continue
      }
      for name in Set(here.keys).union(there.keys).sorted() where here[name] != there[name] {
        let sides = [here[name], there[name]].map { $0.map { "\($0.all)" } ?? "nothing" }
        parts.append("\(name): \(sides.joined(separator: " and "))")
      }
    }
    return parts.joined(separator: "; ")
  }

  private func checkNothingReturned(in view: [ZoneID: [RecordName: Fields]]) throws {
    if let zone = view.keys.first(where: deletedEverywhere.zones.contains) {
      throw InvariantViolation("I3", "\(zone) was deleted everywhere, but returned")
    }
    for name in view.values.flatMap(\.keys) where deletedEverywhere.records.contains(name) {
      throw InvariantViolation("I3", "\(name) was deleted everywhere, but returned")
    }
  }

  /// Checks that a value that is not shown lost a conflict or was overwritten by another device. A record that was edited
  /// before its device heard of a rewind may be in the trash, as it was edited, or its edit among the rejected ones.
  private func checkNothingIsLost(
    in view: [ZoneID: [RecordName: Fields]], losers: Set<Value>, elsewhere: Set<RecordName>
  ) throws {
    for (place, written) in values {
      guard !deletedRecords.contains(place.id.name), !deletedZones.contains(place.id.zone) else {
        continue
      }
      let record = view[place.id.zone]?[place.id.name]
      guard record != nil || !elsewhere.contains(place.id.name) else { continue }
      guard let value = record?[place.key] else {
        // An edit of a field that a rewind had cleared has lost.
        if written.values.contains(where: losers.contains) { continue }
        throw InvariantViolation("I17", "\(place.id) was saved, but its \(place.key) is missing")
      }
      let isKept = written.values.contains { $0 == value || losers.contains($0) }
      guard isKept else {
        throw InvariantViolation(
          "I17", "\(place.key) of \(place.id) is \(value), but was set to \(written)")
      }
    }
  }
}
