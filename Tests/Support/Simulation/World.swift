// A simulated world of one account: a broker and devices in one process, first with faults, then without,
// when everything must settle. People edit contacts, groups and photos, write notes that refer to records,
// undo and restore, and subscribe. The same seed gives the same world.

import AddressBook
import BrokerCore
import DeviceStore
import Records
import RecordsWire
import SyncCore

/// A simulated world of one account.
package struct World: DeviceWorld {
  /// The results of a run.
  package struct Report: Sendable {
    /// Steps performed.
    package var steps = 0
    /// Changes committed.
    package var commits = 0
    /// Deletions by a cascade.
    package var cascadedDeletions = 0
    /// Edits made.
    package var edits = 0
    /// Notifications that devices received.
    package var notifications = 0
    /// Moves that the broker completed.
    package var moves = 0
    /// Conflicts resolved.
    package var resolutions = 0
    /// Deletions that a guard held when the edits ended.
    package var held = 0
    /// Deleted groups that a device asked to restore.
    package var groupRestorations = 0
    /// Crashes of any process.
    package var crashes = 0
  }

  private enum Action: Hashable, Sendable {
    case edit, fault, wait, subscribe, tick, progress
  }

  /// Short compared with the hours between two collections here, so that files are deleted.
  static let graceSeconds: Int64 = 1800

  private let climate: Climate
  private let actionOdds: Odds<Action>
  let faults: Odds<Fault>
  var generator: SimulationGenerator
  var broker: SimulatedBroker
  var devices: [SimulatedDevice] = []
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  var lastConnection = 0
  var milliseconds: Int64 = 0
  var hasFaults = true
  var crashes = 0
  var history = History()
  var delivery = DeliveryHistory()
  var deletions = DeletionOracle()
  var workload: Workload
  var account: AccountID?
  /// Records that a person restored.
  var restoredRecords: Set<RecordName> = []
  /// The length of the history that the broker has reported. A wait is measured by this length: while
  /// the report of a commit is not delivered, no device can know that it came first.
  private var reportedLength = 0
  package internal(set) var report = Report()
  package var trace: ((String) -> Void)?

  /// Creates the world of `seed`.
  package init(seed: UInt64, stepsMaximum: Int) throws {
    generator = SimulationGenerator(seed: seed)
    let usual: Odds<Action> = Odds([
      .edit: 22, .fault: 2, .wait: 2, .subscribe: 1, .tick: 1, .progress: 72,
    ])
    climate = Climate(drawnBy: &generator, devices: 2...4, stepsMaximum: stepsMaximum)
    actionOdds = usual.drawn(by: &generator, needed: [.edit, .progress])
    faults = Fault.usual.drawn(by: &generator, needed: [.cut])
    workload = Workload(habits: climate.habits)
    broker = try SimulatedBroker(cascades: climate.cascades, generator: &generator)
    for index in 0..<climate.devices {
      try add(
        SimulatedDevice(
          index: index, bundled: Self.bundled, settings: Self.settings(index), now: now,
          generator: &generator))
    }
    // Some worlds include a device that does not know move ids.
    devices[0].ignoresMoves = generator.happens(percent: 20)
  }

  private static func settings(_ index: Int) -> DeviceSettings {
    DeviceSettings(container: "contacts", accountName: "ada", deviceName: "device-\(index)")
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

  /// Performs the steps with faults and edits, lets the world settle and checks it.
  /// - Throws: `InvariantViolation`, or an error of a store.
  package mutating func run() throws {
    for _ in 0..<climate.groups {
      try perform(
        devices[1].replica.edit(
          [workload.createZone(generator: &generator)], isAsked: true, now: now), of: 1)
    }
    for _ in 0..<climate.steps { try step() }
    try answerGuards()
    try settleDown()
    // A minute later, a device that connects merges contacts that are in two groups.
    milliseconds += 70_000
    for id in sockets.keys.sorted(by: { $0.value < $1.value }) { try cut(id) }
    try settleDown()
    for device in devices {
      try checkers.deviceIsCurrent(device)
      try checkers.ledgerIsBalanced(device)
    }
    try checkers.noEditVanished(devices)
    try checkers.noDuplicateRemains(except: restoredRecords)
    for device in devices { try checkers.trashIsCorrect(device) }
    try checkers.brokerRetainsHistory(broker.store)
    try checkers.filesAreThere(broker, devices)
    try checkers.photosAreLocal(devices)
    try history.checkNoDanglingReferences()
    for device in devices {
      report.notifications += try checkers.checkNotifications(device, delivery)
    }
    report.steps = climate.steps
    report.commits = history.entries.count
    report.cascadedDeletions = history.cascadedDeletions
    report.moves = history.entries.count { $0.change.move != nil }
    report.crashes = crashes
  }

  private mutating func step() throws {
    switch actionOdds.next(&generator) {
    case .edit: try edit()
    case .fault: try fault()
    case .wait: try beginWait()
    case .subscribe: try subscribe()
    case .tick: try tick()
    case .progress:
      if try !advance() { try edit() }
    }
    if generator.happens(percent: 5) {
      try checkers.ledgerIsBalanced(devices[generator.below(devices.count)])
    }
  }

  // MARK: People

  private mutating func edit() throws {
    let index = generator.below(devices.count)
    if generator.happens(percent: climate.habits.groupRestorations), try restoreGroup(on: index) {
      return
    }
    if generator.happens(percent: climate.habits.undos) { return try undoOrRestore(on: index) }
    if generator.happens(percent: climate.habits.resolutions) { return try resolve(on: index) }
    let reader = devices[index].replica.reader
    let groups = try reader.groups()
    let records = try groups.flatMap { try reader.records(in: $0.zone) }
    let isAsked = !generator.happens(percent: climate.habits.unconfirmed)
    let before = workload
    var edits =
      isAsked
      ? workload.next(
        on: index, showing: records, groups: groups,
        mayMove: !devices[index].ignoresMoves, generator: &generator)
      : workload.unconfirmed(on: index, showing: records, groups: groups, generator: &generator)
    if let photo = workload.photo(for: edits, on: index, generator: &generator) {
      devices[index].files[photo.asset.id] = photo.content
      edits = photo.edits
    }
    trace?("device \(index) edits \(edits)")
    for case .deleteZone(let zone) in edits { deletions.deletes(checkers.owned(zone), on: index) }
    do {
      let actions = try devices[index].replica.edit(edits, isAsked: isAsked, now: now)
      report.edits += 1
      try perform(actions, of: index)
      try editIsShown(edits, on: index)
    } catch let error as RecordsError {
      // The device rejected the edits and changed nothing, for example because an earlier edit deleted the
      // group.
      let refusals: [RecordsError.Code] = [.zoneNotFound, .unknownItem, .constraintViolation]
      guard refusals.contains(error.code) else { throw error }
      trace?("device \(index) rejected them: \(error)")
      workload.takeBack(to: before)
    }
  }

  /// I7: the device shows a value that it has just saved.
  private func editIsShown(_ edits: [LocalEdit], on index: Int) throws {
    guard case .save(let save) = edits.last, let field = save.changes.set.all.first else { return }
    let view = try devices[index].replica.reader.record(save.id)
    guard view?.fields[field.key] == field.value else {
      throw InvariantViolation(
        "I7",
        "device \(index) saved \(field.value) and shows "
          + "\(view.map { String(describing: $0.fields) } ?? "nothing")")
    }
  }

  private mutating func beginWait() throws {
    let index = generator.below(devices.count)
    let actions = try devices[index].beginWait(
      historyLength: reportedLength, now: now)
    try perform(actions, of: index)
  }

  // MARK: Checks

  mutating func executed(_ request: StorageRequest, _ result: StorageResult) throws {
    try delivery.take(request, result)
    try deletions.check(request, result, history)
    try history.take(request, result)
    if let trace, let described = result.described { trace(described) }
  }

  mutating func reported() {
    reportedLength = history.entries.count
  }

  mutating func received(_ message: BrokerMessage, by index: Int) throws {
    switch message {
    case .welcome(let welcome):
      account = welcome.account
      deletions.welcomed(welcome.device, as: index)
    case .changes(let stretch):
      try history.check(stretch)
      deletions.received(stretch, by: index)
    default: break
    }
  }

  func sentHello(_ hello: Hello, by index: Int) throws {
    try checkers.tokenMatchesRows(devices[index], hello)
  }

  mutating func synchronized(_ id: UInt64, on index: Int) throws {
    guard let length = devices[index].waits.removeValue(forKey: id) else { return }
    try checkers.waitIsSatisfied(devices[index], historyLength: length)
  }

  func isUnsettled(_ device: SimulatedDevice) throws -> Bool { false }

  /// Deletes unused files on the broker and on one device, as both do from time to time.
  mutating func collect() throws {
    try collectFiles(graceSeconds: Self.graceSeconds)
    try checkers.filesAreThere(broker, devices)
  }

  /// Expires tombstones as if the horizon had passed for all of them.
  mutating func expireTombstones() throws {
    history.hasExpiredTombstones = true
    try expireSomeTombstones()
  }
}
