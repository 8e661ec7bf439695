// A broker whose disk is not to be relied on, on dice: it is backed up and put back, also twice and from an old
// backup, its records are damaged and repaired, and its clock leaps. People edit contacts on devices that go
// on all the while. In the end every device shows the same, nothing that a device held is lost, and nothing
// returns that everybody knew to be deleted when the backup was made.

import BrokerCore
import BrokerStore
import DeviceStore
import FoundationEssentials
import Records
import RecordsWire
import SyncCore

/// A simulated world of one account whose broker loses what it has.
package struct RestoreWorld: DeviceWorld {
  /// What a run came to.
  package struct Report: Sendable {
    /// Steps taken.
    package var steps = 0
    /// Changes committed.
    package var commits = 0
    /// Backups put back.
    package var restores = 0
    /// Records damaged.
    package var damages = 0
  }

  private enum Deed: Hashable, Sendable {
    case add, change, delete, group, fault, tick, progress, settle
    case backUp, restore, damage, repair, leap, reap
  }

  /// A copy of the broker's database.
  struct Backup {
    let path: String
    /// What was gone from everywhere when it was made.
    let buried: RestoreMemory.Buried
  }

  private let climate: Climate
  private let deeds: Odds<Deed>
  let faults: Odds<Fault>
  var dice: Dice
  var broker: SimulatedBroker
  var devices: [SimulatedDevice] = []
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  var lastConnection = 0
  var milliseconds: Int64 = 0
  /// How far the clock on the wall is ahead of the time that has passed.
  var leapSeconds: Int64 = 0
  var hasFaults = true
  var crashes = 0
  var memory = RestoreMemory()
  /// Where its databases are.
  let folder: String
  /// The database it serves.
  var path: String
  var backups: [Backup] = []
  /// How many databases there were.
  var databases = 1
  package internal(set) var report = Report()
  package var trace: ((String) -> Void)?

  var now: Timestamp {
    Timestamp(
      microseconds: 1_800_000_000_000_000 + milliseconds * 1000 + leapSeconds * 1_000_000)
  }

  /// A world that begins on `seed`, with its files in `folder`, which it has for itself.
  package init(seed: UInt64, stepsMost: Int, folder: String) throws {
    dice = Dice(seed: seed)
    self.folder = folder
    path = "\(folder)/1.sqlite"
    let usual: Odds<Deed> = Odds([
      .add: 6, .change: 10, .delete: 3, .group: 1, .fault: 2, .tick: 1, .progress: 60, .settle: 1,
      .backUp: 4, .restore: 4, .damage: 4, .repair: 2, .leap: 1, .reap: 1,
    ])
    climate = Climate(drawnBy: &dice, devices: 2...4, stepsMost: stepsMost)
    deeds = usual.drawn(by: &dice, needed: [.add, .backUp, .restore, .progress])
    faults = Fault.usual.drawn(by: &dice, needed: [.cut])
    broker = try SimulatedBroker(store: SQLiteRecordStore(path: path), dice: &dice)
    for _ in 0..<climate.devices { try addDevice() }
  }

  mutating func addDevice() throws {
    let index = devices.count
    let settings = DeviceSettings(accountName: "ada", deviceName: "device-\(index)")
    try add(SimulatedDevice(index: index, bundled: [], settings: settings, now: now, dice: &dice))
  }

  /// Plays the steps with faults, then until everything is quiet, and checks what must be true then.
  /// - Throws: `InvariantViolation`, or whatever a store threw.
  package mutating func run() throws {
    for _ in 0..<climate.steps { try step() }
    try repair()
    try settleDown()
    // One that has nothing shows what the broker has.
    try addDevice()
    try settleDown()
    try memory.check(devices)
    report.steps = climate.steps
  }

  private mutating func step() throws {
    let index = dice.below(devices.count)
    switch deeds.next(&dice) {
    case .add: try addContact(on: index)
    case .change: try changeContact(on: index)
    case .delete: try deleteContact(on: index)
    case .group: try changeGroups(on: index)
    case .fault: try fault()
    case .tick: try tick()
    case .progress: if try !advance() { try addContact(on: index) }
    case .settle: try settleForAWhile()
    case .backUp: try backUp()
    case .restore: try restore()
    case .damage: try damage()
    case .repair: try repair()
    case .leap: leap()
    case .reap: try reap()
    }
  }

  /// Everything becomes quiet: what is deleted now is gone from everywhere.
  private mutating func settleForAWhile() throws {
    try settleDown()
    hasFaults = true
    try memory.bury(devices)
  }

  // MARK: People

  private mutating func addContact(on index: Int) throws {
    let groups = try devices[index].replica.reader.groups().map(\.zone)
    guard let zone = groups.randomElement(using: &dice) else { return }
    let id = RecordID(zone: zone, name: memory.nextName())
    try save(id, "firstName", on: index)
  }

  private mutating func changeContact(on index: Int) throws {
    guard let record = try contacts(on: index).randomElement(using: &dice) else { return }
    try save(record.id, dice.happens(percent: 50) ? "firstName" : "company", on: index)
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

  private mutating func deleteContact(on index: Int) throws {
    guard let record = try contacts(on: index).randomElement(using: &dice) else { return }
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

  private mutating func changeGroups(on index: Int) throws {
    let groups = try devices[index].replica.reader.groups().map(\.zone).filter { $0 != .standard }
    var edit = LocalEdit.createZone(ZoneID(name: .random(using: &dice)), title: "group")
    if let zone = groups.randomElement(using: &dice), dice.happens(percent: 30) {
      edit = .deleteZone(zone)
      memory.deleted(zone)
    }
    trace?("device \(index): \(edit)")
    try perform(devices[index].replica.edit([edit], now: now), of: index)
  }

  // MARK: What is looked at

  mutating func took(_ request: StorageRequest, _ result: StorageResult) throws {
    report.commits += result.committed?.zones.map(\.changes.count).reduce(0, +) ?? 0
    if let trace, let described = result.described { trace(described) }
  }

  mutating func heard(_ message: BrokerMessage, by index: Int) throws {}

  mutating func collect() throws {}

  func isUnsettled(_ device: SimulatedDevice) throws -> Bool { false }
}
