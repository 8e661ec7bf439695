// A world whose broker is backed up and restored, also twice and from old backups; its records are damaged
// and repaired, and its clock jumps. People continue to edit contacts on devices. In the end every device
// shows the same, no value that a device held is lost, and no record returns that all devices knew to be
// deleted. After a restore without edits beside it, all devices show what was confirmed last, without a conflict,
// also if they had stopped at different revisions; after a rewind, what the backup had.

import AddressBook
import BrokerCore
import BrokerStore
import DeviceStore
import FoundationEssentials
import Records
import RecordsWire
import SyncCore

/// A simulated world of one account whose broker loses data.
package struct RestoreWorld: DeviceWorld {
  /// The results of a run.
  package struct Report: Sendable {
    /// Steps performed.
    package var steps = 0
    /// Changes committed.
    package var commits = 0
    /// Backups restored.
    package var restores = 0
    /// Records damaged.
    package var damages = 0
  }

  private enum Action: Hashable, Sendable {
    case add, change, delete, group, fault, tick, progress, settle
    case backUp, restore, restoreAtRest, rewind, rewindAtRest, damage, repair, leap
    case expireTombstones
  }

  /// A copy of the broker's database.
  struct Backup {
    /// The number of the backup.
    let number: Int
    let path: String
    /// The numbers of the backups on the way to this one, and its own: the broker had been in the state of each of them.
    let ancestors: Set<Int>
    /// The number of restores before it was made.
    let restores: Int
  }

  private let climate: Climate
  private let actionOdds: Odds<Action>
  let faults: Odds<Fault>
  var generator: SimulationGenerator
  var broker: SimulatedBroker
  var devices: [SimulatedDevice] = []
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  var lastConnection = 0
  var milliseconds: Int64 = 0
  /// How far the wall clock is ahead of the elapsed time.
  var leapSeconds: Int64 = 0
  var hasFaults = true
  var crashes = 0
  var memory = RestoreMemory()
  /// The rewinds of which each device has heard.
  private(set) var heardRewinds: [Int: Set<Revision>] = [:]
  /// The directory of the databases.
  let folder: String
  /// The database that the broker serves.
  var path: String
  var backups: [Backup] = []
  /// The numbers of the backups on the way to the broker's present state.
  var ancestors: Set<Int> = []
  /// The number of disasters after which zones began new histories.
  var newHistories = 0
  /// The number of databases so far.
  var databases = 1
  package internal(set) var report = Report()
  package var trace: ((String) -> Void)?

  var now: Timestamp {
    Timestamp(
      microseconds: 1_800_000_000_000_000 + milliseconds * 1000 + leapSeconds * 1_000_000)
  }

  /// Creates the world of `seed`, with its files in `folder`, which only this world uses.
  package init(seed: UInt64, stepsMaximum: Int, folder: String) throws {
    generator = SimulationGenerator(seed: seed)
    self.folder = folder
    path = "\(folder)/1.sqlite"
    let usual: Odds<Action> = Odds([
      .add: 6, .change: 10, .delete: 3, .group: 1, .fault: 2, .tick: 1, .progress: 60, .settle: 1,
      .backUp: 4, .restore: 4, .restoreAtRest: 2, .rewind: 1, .rewindAtRest: 2, .damage: 4,
      .repair: 2, .leap: 1,
      .expireTombstones: 1,
    ])
    climate = Climate(drawnBy: &generator, devices: 2...4, stepsMaximum: stepsMaximum)
    actionOdds = usual.drawn(by: &generator, needed: [.add, .backUp, .restore, .progress])
    faults = Fault.usual.drawn(by: &generator, needed: [.cut])
    broker = try SimulatedBroker(store: SQLiteRecordStore(path: path), generator: &generator)
    for _ in 0..<climate.devices { try addDevice() }
  }

  mutating func addDevice() throws {
    let index = devices.count
    let settings = DeviceSettings(
      container: "contacts", accountName: "ada", deviceName: "device-\(index)")
    try add(
      SimulatedDevice(
        index: index, bundled: [], settings: settings, now: now, generator: &generator))
  }

  /// Performs the steps with faults, lets the world settle and checks it.
  /// - Throws: `InvariantViolation`, or an error of a store.
  package mutating func run() throws {
    for _ in 0..<climate.steps { try step() }
    try repair()
    try settleDown()
    // A new device shows only what the broker has.
    try addDevice()
    try settleDown()
    try memory.check(devices)
    report.steps = climate.steps
  }

  private mutating func step() throws {
    let index = generator.below(devices.count)
    switch actionOdds.next(&generator) {
    case .add: try addContact(on: index)
    case .change: try changeContact(on: index)
    case .delete: try deleteContact(on: index)
    case .group: try changeGroups(on: index)
    case .fault: try fault()
    case .tick: try tick()
    case .progress: if try !advance() { try addContact(on: index) }
    case .settle: try settleTemporarily()
    case .backUp: try backUp()
    case .restore: try restore(backups)
    case .restoreAtRest: try restoreAtRest()
    case .rewind: try restore(backups, .rewind)
    case .rewindAtRest: try rewindAtRest()
    case .damage: try damage()
    case .repair: try repair()
    case .leap: leap()
    case .expireTombstones: try expireTombstones()
    }
  }

  /// Lets the world settle. Deletions made so far have then reached every device.
  mutating func settleTemporarily() throws {
    try settleDown()
    hasFaults = true
    try memory.recordDeletions(devices)
  }

  // MARK: People

  mutating func addContact(on index: Int) throws {
    let groups = try devices[index].replica.reader.groups().map(\.zone)
    guard let zone = groups.randomElement(using: &generator) else { return }
    let id = RecordID(zone: zone, name: memory.nextName())
    try save(id, "firstName", on: index)
  }

  mutating func changeContact(on index: Int) throws {
    guard let record = try contacts(on: index).randomElement(using: &generator) else { return }
    try save(record.id, generator.happens(percent: 50) ? "firstName" : "company", on: index)
  }

  private mutating func save(_ id: RecordID, _ key: FieldKey, on index: Int) throws {
    let value = memory.nextValue()
    trace?("device \(index) sets \(key) of \(id) to \(value)")
    let save = LocalEdit.RecordSave(
      id: id, type: RecordType(stored: "Contact"),
      changes: FieldChanges(set: Fields([(key, value)])))
    let actions = try devices[index].replica.edit([.save(save)], now: now)
    memory.saved(id, key, value, on: index)
    try perform(actions, of: index)
  }

  mutating func deleteContact(on index: Int) throws {
    guard let record = try contacts(on: index).randomElement(using: &generator) else { return }
    trace?("device \(index) deletes \(record.id)")
    let actions = try devices[index].replica.edit([.delete(record.id, version: nil)], now: now)
    memory.deleted(record.id.name)
    try perform(actions, of: index)
  }

  private func contacts(on index: Int) throws -> [RecordView] {
    let reader = devices[index].replica.reader
    return try reader.groups().flatMap { try reader.records(in: $0.zone) }
      .filter { $0.type.text == "Contact" }
  }

  mutating func changeGroups(on index: Int) throws {
    let groups = try devices[index].replica.reader.groups().map(\.zone).filter { $0 != .standard }
    var edit = LocalEdit.createZone(ZoneID(name: .random(using: &generator)), title: "group")
    if let zone = groups.randomElement(using: &generator), generator.happens(percent: 30) {
      edit = .deleteZone(zone)
      memory.deleted(zone)
    }
    trace?("device \(index): \(edit)")
    try perform(devices[index].replica.edit([edit], now: now), of: index)
  }

  // MARK: Checks

  mutating func executed(_ request: StorageRequest, _ result: StorageResult) throws {
    report.commits += result.committed?.zones.map(\.changes.count).reduce(0, +) ?? 0
    if let trace, let described = result.described { trace(described) }
  }

  mutating func received(_ message: BrokerMessage, by index: Int) throws {
    guard case .welcome(let welcome) = message else { return }
    heardRewinds[index, default: []].insert(welcome.rewoundAt)
  }

  mutating func collect() throws {}

  func isUnsettled(_ device: SimulatedDevice) throws -> Bool { false }
}
