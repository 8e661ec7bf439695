// Devices edit, connect and disconnect while their broker is restored from backups or reinstalled. In the end all
// show the same records, and no saved value was lost without a conflict or a rejected edit.

import AddressBook
import DeviceRoom
import DeviceStore
import PredicateWorld
import Records
import SyncCore
import TestTiers
import Testing

@Suite("I17, I23, N2 whatever is restored")
struct RestoreProperties {
  @Test(arguments: 0..<UInt64(TestTier.cases(60)))
  func `nothing diverges, and no saved value is wiped without a word`(seed: UInt64) throws {
    var world = try RestoreWorld(seed: seed)
    for _ in 0..<60 { try world.step() }
    try world.settle()
    try world.expectSame()
    try world.expectNothingLost()
  }
}

/// Three devices, a broker, and the backups that were made of it.
private struct RestoreWorld {
  private struct Place: Hashable {
    let id: RecordID
    let device: Int
  }

  private static let keys: [FieldKey] = ["firstName", "lastName", "company"]

  private let room = Room()
  private var devices: [TestDevice] = []
  private var generator: SeededGenerator
  private var backups: [MiniBroker.Backup] = []
  private var count = 0
  /// What each device last said of each record: a field of its own, a value that nobody says again.
  private var said: [Place: Value] = [:]
  private var deletedRecords: Set<RecordID> = []
  private var deletedZones: Set<ZoneID> = []
  private var zones: [ZoneID] = [.standard]

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    backups = [room.broker.backup()]
    for name in ["laptop", "phone", "tablet"] { devices.append(try TestDevice(room, name)) }
  }

  mutating func step() throws {
    let index = Int.random(in: 0..<devices.count, using: &generator)
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<9: try save(on: index)
    case 9: try delete(on: index)
    case 10: try makeGroup(on: index)
    case 11: try deleteGroup(on: index)
    case 12, 13: try turn(index)
    case 14: try devices[index].restart()
    case 15, 16: backups.append(room.broker.backup())
    case 17: room.broker.reapTombstones()
    default: try lose()
    }
  }

  // MARK: People

  private mutating func save(on index: Int) throws {
    let groups = try devices[index].reader.groups().map(\.zone)
    let zone = groups.randomElement(using: &generator) ?? .standard
    let name = RecordName(stored: "r\(Int.random(in: 0..<4, using: &generator))")
    count += 1
    let value = Value.string("\(index)-\(count)")
    let id = RecordID(zone: zone, name: name)
    try devices[index].save(name.text, Fields([(Self.keys[index], value)]), in: zone)
    said[Place(id: id, device: index)] = value
  }

  private mutating func delete(on index: Int) throws {
    let reader = devices[index].reader
    let shown = try reader.groups().flatMap { try reader.records(in: $0.zone) }
      .filter { $0.type.text == "Contact" }
    guard let view = shown.randomElement(using: &generator) else { return }
    deletedRecords.insert(view.id)
    try devices[index].delete(view.id.name.text, in: view.id.zone)
  }

  private mutating func makeGroup(on index: Int) throws {
    guard zones.count < 4 else { return }
    let zone = ZoneID(name: ZoneName(UInt128(zones.count + 4)))
    zones.append(zone)
    try devices[index].edit([.createZone(zone, title: "Group \(zones.count)")])
  }

  private mutating func deleteGroup(on index: Int) throws {
    let groups = try devices[index].reader.groups().map(\.zone).filter { $0 != .standard }
    guard let zone = groups.randomElement(using: &generator), Bool.random(using: &generator) else {
      return
    }
    deletedZones.insert(zone)
    try devices[index].edit([.deleteZone(zone)])
  }

  // MARK: The world

  private func turn(_ index: Int) throws {
    if devices[index].isOnline {
      try devices[index].goOffline()
    } else {
      try devices[index].goOnline()
    }
  }

  /// Restores the broker from a backup, or reinstalls it. The connected devices connect again.
  private mutating func lose() throws {
    let there = devices.filter(\.isOnline)
    for device in there { try device.goOffline() }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      room.broker.reinstall()
      backups = [room.broker.backup()]
      for device in devices { device.forgetDevice() }
    } else if let backup = backups.randomElement(using: &generator) {
      room.broker.restore(backup)
    }
    for device in there { try device.goOnline() }
  }

  /// Connects all devices three times, so that each receives the edits that the others sent.
  mutating func settle() throws {
    for _ in 0..<3 {
      for device in devices {
        if device.isOnline { try device.goOffline() }
        try device.goOnline()
        for timer in [SyncTimer.outbox, .resend, .attachment] { try device.fire(timer) }
      }
    }
  }

  // MARK: What must hold

  func expectSame() throws {
    let groups = try devices[0].reader.groups().map(\.zone)
    for device in devices {
      let status = try device.reader.status()
      #expect(status.waitingEntries == 0)
      #expect(status.ledger.isBalanced, "\(status.ledger)")
      #expect(device.replica.phase == .live)
      #expect(try Set(device.reader.groups().map(\.zone)) == Set(groups))
      for zone in groups {
        let shown = try device.reader.records(in: zone)
        for view in shown {
          #expect(try room.broker.fields(view.id.name.text, in: zone) == view.fields)
        }
        let names = Set(shown.map(\.id.name.text))
        let missing = try room.broker.names(in: zone).subtracting(names)
        #expect(missing.isEmpty, "not shown in \(zone)")
      }
    }
  }

  /// Expects each saved value in its field, in a conflict or in a rejected edit, unless its record was deleted.
  func expectNothingLost() throws {
    var listed: Set<Value> = []
    for device in devices {
      for conflict in try device.reader.conflicts() {
        listed.formUnion([conflict.losing, conflict.winning].compactMap { $0 })
      }
      for rejected in try device.reader.rejectedEdits() {
        listed.formUnion(rejected.changes.set.all.map(\.value))
      }
    }
    for (place, value) in said {
      let isDeleted =
        deletedRecords.contains(place.id) || deletedZones.contains(place.id.zone)
      guard !isDeleted, !listed.contains(value) else { continue }
      let fields = try devices[0].fields(place.id.name.text, in: place.id.zone)
      #expect(
        fields?[Self.keys[place.device]] == value,
        "device \(place.device) said \(value) of \(place.id)")
    }
  }
}
