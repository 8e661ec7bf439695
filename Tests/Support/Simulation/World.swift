// A broker and the devices of one account in one process, on dice. First with faults, then without, when
// everything must settle. People edit contacts, groups and photos, write notes that go with others, turn
// things back, and have themselves told. The same seed plays the same world.

import BrokerCore
import DeviceStore
import Records
import RecordsWire
import SyncCore

/// A simulated world of one account.
package struct World: DeviceWorld {
  /// What a run came to.
  package struct Report: Sendable {
    /// Steps taken.
    package var steps = 0
    /// Changes committed.
    package var commits = 0
    /// Those that went along with a deletion.
    package var wentAlong = 0
    /// Edits made.
    package var edits = 0
    /// What subscriptions told.
    package var told = 0
    /// Moves that the broker took to their end.
    package var moves = 0
    /// Conflicts that somebody resolved.
    package var resolutions = 0
    /// Deletions that a guard held when the edits ended.
    package var held = 0
    /// Crashes of any process.
    package var crashes = 0
  }

  private enum Deed: Hashable, Sendable {
    case edit, fault, wait, subscribe, tick, progress
  }

  /// Short beside the hours between two collections here, so that files do go.
  static let graceSeconds: Int64 = 1800

  private let climate: Climate
  private let deeds: Odds<Deed>
  let faults: Odds<Fault>
  var dice: Dice
  var broker: SimulatedBroker
  var devices: [SimulatedDevice] = []
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  var lastConnection = 0
  var milliseconds: Int64 = 0
  var hasFaults = true
  var crashes = 0
  var history = History()
  var delivery = DeliveryHistory()
  var workload: Workload
  var account: AccountID?
  /// Records that somebody brought back on purpose.
  var broughtBack: Set<RecordName> = []
  /// How much of the history somebody has been told of. A wait is measured by this: of a commit
  /// whose report is still on its way from the disk, nobody can know that it came before.
  private var reportedLength = 0
  package internal(set) var report = Report()
  package var trace: ((String) -> Void)?

  /// A world that begins on `seed`.
  package init(seed: UInt64, stepsMost: Int) throws {
    dice = Dice(seed: seed)
    let usual: Odds<Deed> = Odds([
      .edit: 22, .fault: 2, .wait: 2, .subscribe: 1, .tick: 1, .progress: 72,
    ])
    climate = Climate(drawnBy: &dice, devices: 2...4, stepsMost: stepsMost)
    deeds = usual.drawn(by: &dice, needed: [.edit, .progress])
    faults = Fault.usual.drawn(by: &dice, needed: [.cut])
    workload = Workload(habits: climate.habits)
    broker = try SimulatedBroker(cascades: climate.cascades, dice: &dice)
    for index in 0..<climate.devices {
      try add(
        SimulatedDevice(
          index: index, bundled: Self.bundled, settings: Self.settings(index), now: now,
          dice: &dice))
    }
    // Next to newer ones, a device that knows nothing of the ids of moves.
    devices[0].isOfFirstRelease = dice.happens(percent: 20)
  }

  private static func settings(_ index: Int) -> DeviceSettings {
    DeviceSettings(accountName: "ada", deviceName: "device-\(index)")
  }

  private static var bundled: [(name: RecordName, fields: Fields)] {
    (1...3).map {
      (
        name: RecordName(stored: "bundled-1-0\($0)"),
        fields: Fields([("firstName", .string("bundled-\($0)"))])
      )
    }
  }

  var checkers: Checkers { Checkers(history: history, workload: workload, account: account) }

  /// Plays the steps with faults and edits, then until everything is quiet, and checks what must be
  /// true then.
  /// - Throws: `InvariantViolation`, or whatever a store threw.
  package mutating func run() throws {
    for _ in 0..<climate.groups {
      try perform(
        devices[1].replica.edit([workload.createZone(dice: &dice)], isAsked: true, now: now), of: 1)
    }
    for _ in 0..<climate.steps { try step() }
    try answerGuards()
    try settleDown()
    for device in devices {
      try checkers.deviceIsLevel(device)
      try checkers.ledgerIsBalanced(device)
    }
    try checkers.noEditVanished(devices)
    try checkers.noCopyIsLeft(except: broughtBack)
    for device in devices { try checkers.trashIsTrue(device) }
    try checkers.brokerKeepsThePast(broker.store)
    try checkers.filesAreThere(broker, devices)
    try checkers.photosAreLocal(devices)
    try history.checkNothingIsLeftBehind()
    for device in devices { report.told += try checkers.wasToldAll(device, delivery) }
    report.steps = climate.steps
    report.commits = history.entries.count
    report.wentAlong = history.wentAlong
    report.moves = history.entries.count { $0.change.move != nil }
    report.crashes = crashes
  }

  private mutating func step() throws {
    switch deeds.next(&dice) {
    case .edit: try edit()
    case .fault: try fault()
    case .wait: try beginWait()
    case .subscribe: try subscribe()
    case .tick: try tick()
    case .progress:
      if try !advance() { try edit() }
    }
    if dice.happens(percent: 5) {
      try checkers.ledgerIsBalanced(devices[dice.below(devices.count)])
    }
  }

  // MARK: People

  private mutating func edit() throws {
    let index = dice.below(devices.count)
    if dice.happens(percent: climate.habits.turnsBack) { return try turnBack(on: index) }
    if dice.happens(percent: climate.habits.resolutions) { return try resolve(on: index) }
    let reader = devices[index].replica.reader
    let groups = try reader.groups()
    let records = try groups.flatMap { try reader.records(in: $0.zone) }
    let isAsked = !dice.happens(percent: climate.habits.unconfirmed)
    var edits =
      isAsked
      ? workload.next(
        on: index, showing: records, groups: groups,
        mayMove: !devices[index].isOfFirstRelease, dice: &dice)
      : workload.unconfirmed(on: index, showing: records, groups: groups, dice: &dice)
    if let photo = workload.photo(for: edits, on: index, dice: &dice) {
      devices[index].files[photo.asset.id] = photo.content
      edits = photo.edits
    }
    trace?("device \(index) edits \(edits)")
    do {
      let actions = try devices[index].replica.edit(edits, isAsked: isAsked, now: now)
      report.edits += 1
      try perform(actions, of: index)
      try editIsShown(edits, on: index)
    } catch let error as RecordsError {
      // A group deleted a moment ago by the same list, or the like: refused, and nothing done.
      let refusals: [ErrorCode] = [.zoneNotFound, .unknownItem, .constraintViolation]
      guard refusals.contains(error.code) else { throw error }
      workload.takeBack(edits)
    }
  }

  /// I7: what was just saved is shown.
  private func editIsShown(_ edits: [LocalEdit], on index: Int) throws {
    guard case .save(let save) = edits.last, let field = save.changes.set.all.first else { return }
    let view = try devices[index].replica.reader.record(save.id)
    guard view?.fields[field.key] == field.value else {
      throw InvariantViolation(
        "I7",
        "device \(index) was told \(field.value) is saved and shows "
          + "\(view.map { String(describing: $0.fields) } ?? "nothing")")
    }
  }

  private mutating func beginWait() throws {
    let index = dice.below(devices.count)
    let actions = try devices[index].beginWait(
      historyLength: reportedLength, now: now)
    try perform(actions, of: index)
  }

  // MARK: What is looked at

  mutating func took(_ request: StorageRequest, _ result: StorageResult) throws {
    try delivery.take(request, result)
    try history.take(request, result)
    if let trace, let described = result.described { trace(described) }
  }

  mutating func reported() {
    reportedLength = history.entries.count
  }

  mutating func heard(_ message: BrokerMessage, by index: Int) throws {
    switch message {
    case .welcome(let welcome): account = welcome.account
    case .changes(let stretch): try history.check(stretch)
    default: break
    }
  }

  func greeted(_ hello: Hello, by index: Int) throws {
    try checkers.tokenMatchesRows(devices[index], hello)
  }

  mutating func synchronized(_ id: UInt64, on index: Int) throws {
    guard let length = devices[index].waits.removeValue(forKey: id) else { return }
    try checkers.waitWasKept(devices[index], historyLength: length)
  }

  func isUnsettled(_ device: SimulatedDevice) throws -> Bool { false }

  /// Collects files on the broker and on one device, as they do from time to time.
  mutating func collect() throws {
    try collectFiles(graceSeconds: Self.graceSeconds)
    try checkers.filesAreThere(broker, devices)
  }

  /// Removes tombstones as if the horizon had passed for all of them.
  mutating func reap() throws {
    history.hasReaped = true
    try reapTombstones()
  }
}
