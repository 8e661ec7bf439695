// A broker and three devices of one account in one process, on dice: at each step one of the
// things that could happen next happens. First with faults, then without, when everything must
// settle. The same seed plays the same world.

import BrokerCore
import DeviceStore
import Records
import RecordsWire
import SyncCore

/// A simulated world.
package struct World {
  /// What a run came to.
  package struct Report: Sendable {
    /// Steps taken.
    package var steps = 0
    /// Changes committed.
    package var commits = 0
    /// Edits made.
    package var edits = 0
    /// What subscriptions told.
    package var told = 0
    /// Crashes of any process.
    package var crashes = 0
  }

  static let deviceCount = 3
  /// Short beside the hours between two collections here, so that files do go.
  static let graceSeconds: Int64 = 1800

  var dice: Dice
  var broker: SimulatedBroker
  var devices: [SimulatedDevice] = []
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  var history = History()
  var delivery = DeliveryHistory()
  var workload = Workload()
  var account: AccountID?
  var milliseconds: Int64 = 0
  var lastConnection = 0
  var hasFaults = true
  /// How much of the history somebody has been told of. A wait is measured by this: of a commit
  /// whose report is still on its way from the disk, nobody can know that it came before.
  var reportedLength = 0
  package internal(set) var report = Report()
  /// Told of everything that happens, for whoever looks into a seed that failed.
  package var trace: ((String) -> Void)?

  /// How many steps with faults a world is usually played.
  package static let usualSteps = 600

  /// A world that begins on `seed`.
  package init(seed: UInt64) throws {
    dice = Dice(seed: seed)
    broker = try SimulatedBroker(dice: &dice)
    for index in 0..<Self.deviceCount {
      let bundled = (1...3).map {
        (
          name: RecordName(stored: "bundled-1-0\($0)"),
          fields: Fields([("firstName", .string("bundled-\($0)"))])
        )
      }
      var device = try SimulatedDevice(
        index: index, bundled: bundled, now: now, dice: &dice)
      let actions = device.replica.start()
      devices.append(device)
      device.wantsConnection = false
      try perform(actions, of: index)
    }
  }

  var now: Timestamp { Timestamp(microseconds: 1_800_000_000_000_000 + milliseconds * 1000) }

  var checkers: Checkers { Checkers(history: history, workload: workload, account: account) }

  /// Plays `steps` with faults and edits, then until everything is quiet, and checks what must be
  /// true then.
  /// - Throws: `InvariantViolation`, or whatever a store threw.
  package mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      report.steps += 1
      try step()
    }
    hasFaults = false
    broker.isUp = true
    for id in Array(sockets.keys) { try unstall(id) }
    var quietSteps = 0
    while try settle() {
      quietSteps += 1
      guard quietSteps < 20_000 else {
        throw InvariantViolation("I16", "the world does not come to rest: \(describeUnrest())")
      }
    }
    for device in devices {
      try checkers.deviceIsLevel(device)
      try checkers.ledgerIsBalanced(device)
    }
    try checkers.noEditVanished(devices)
    for device in devices { try checkers.trashIsTrue(device) }
    try checkers.brokerKeepsThePast(broker.store)
    try checkers.filesAreThere(broker, devices)
    try checkers.photosAreLocal(devices)
    for device in devices { report.told += try checkers.wasToldAll(device, delivery) }
    report.commits = history.entries.count
  }

  private func describeUnrest() -> String {
    devices.map { "device \($0.index) \($0.replica.phase) \($0.timers.keys)" }
      .joined(separator: ", ")
  }

  // MARK: Steps

  private mutating func step() throws {
    switch dice.below(100) {
    case 0..<22: try edit()
    case 22..<24: try fault()
    case 24..<26: try beginWait()
    case 26: try subscribe()
    case 27: try tick()
    default:
      if try !advance() { try edit() }
    }
    if dice.happens(percent: 5) {
      try checkers.ledgerIsBalanced(devices[dice.below(devices.count)])
    }
  }

  /// One thing happens that needs no fault and no person; `false` when the world is quiet.
  private mutating func settle() throws -> Bool {
    if try advance() { return true }
    return try devices.contains { device in
      if device.replica.phase != .live { return true }
      return try device.replica.reader.status().waitingEntries > 0
        || device.replica.reader.wantedAssets() > 0
        || device.timers[.acknowledgement] != nil || device.timers[.release] != nil
    } && fireNextTimer()
  }

  /// Something that is under way goes one step on; `false` when nothing is.
  private mutating func advance() throws -> Bool {
    var choices: [Progress] = []
    for socket in sockets.values.sorted(by: { $0.id.value < $1.id.value }) {
      if socket.brokerRun != broker.run || !broker.isUp { choices.append(.notice(socket.id)) }
      if !socket.up.isEmpty { choices.append(.up(socket.id)) }
      if !socket.down.isEmpty, !socket.isStalled { choices.append(.down(socket.id)) }
      if socket.down.isEmpty, socket.unreportedPieces > 0 { choices.append(.piece(socket.id)) }
      if socket.isClosing, socket.down.isEmpty { choices.append(.notice(socket.id)) }
    }
    if broker.results != nil {
      choices.append(.report)
    } else if !broker.waiting.isEmpty {
      choices.append(.commit)
    }
    if broker.isReading { choices.append(.read) }
    if !broker.disk.requests.isEmpty { choices.append(.brokerDisk) }
    for device in devices where !device.diskActions.isEmpty {
      choices.append(.deviceDisk(device.index))
    }
    for device in devices where device.wantsConnection { choices.append(.connect(device.index)) }
    guard let choice = choices.randomElement(using: &dice) else {
      return hasFaults ? try fireNextTimer() : false
    }
    try perform(choice)
    return true
  }

  private enum Progress {
    case notice(ConnectionID)
    case up(ConnectionID)
    case down(ConnectionID)
    case piece(ConnectionID)
    case commit
    case report
    case read
    case brokerDisk
    case deviceDisk(Int)
    case connect(Int)
  }

  private mutating func perform(_ progress: Progress) throws {
    switch progress {
    case .notice(let id): try cut(id)
    case .up(let id): try deliverUp(id)
    case .down(let id): try deliverDown(id)
    case .piece(let id):
      sockets[id]?.unreportedPieces -= 1
      try perform(broker.handle(.pieceWasSent(id)))
    case .commit:
      for (request, result) in broker.commit(at: now, dice: &dice) {
        try delivery.take(request, result)
        guard case .modify(_, _, let identity, let modify, _) = request,
          case .modified(_, _, _, let effects, _) = result,
          !effects.zones.isEmpty || !effects.directories.isEmpty
        else { continue }
        try history.commit(effects, by: identity.device, number: modify.number)
        trace?(Self.described(effects, by: identity.device, modify.number))
      }
    case .report:
      try perform(broker.report())
      reportedLength = history.entries.count
    case .read: try perform(broker.read(at: now, dice: &dice))
    case .brokerDisk:
      if let result = broker.disk.perform(broker.store) {
        try perform(broker.handle(.assetDone(result)))
      }
    case .deviceDisk(let index):
      let (message, actions) = try devices[index].useDisk(now: now)
      if let message { try perform([.send(id: message.id, message.1)], of: index) }
      try perform(actions, of: index)
    case .connect(let index): try connect(index)
    }
  }

  private mutating func fireNextTimer() throws -> Bool {
    var next: (due: Int64, device: Int, timer: SyncTimer)?
    for device in devices {
      for timer in SyncTimer.allCases {
        guard let due = device.timers[timer] else { continue }
        if next.map({ due < $0.due }) ?? true { next = (due, device.index, timer) }
      }
    }
    guard let next else { return false }
    milliseconds = max(milliseconds, next.due)
    devices[next.device].timers[next.timer] = nil
    try perform(devices[next.device].replica.fired(next.timer, now: now), of: next.device)
    return true
  }

  // MARK: People

  private mutating func edit() throws {
    let index = dice.below(devices.count)
    if dice.happens(percent: 12) { return try turnBack(on: index) }
    let reader = devices[index].replica.reader
    let groups = try reader.groups()
    let records = try groups.flatMap { try reader.records(in: $0.zone) }
    var edits = workload.next(on: index, showing: records, groups: groups, dice: &dice)
    if let photo = workload.photo(for: edits, on: index, dice: &dice) {
      devices[index].files[photo.asset.id] = photo.content
      edits = photo.edits
    }
    trace?("device \(index) edits \(edits)")
    do {
      let actions = try devices[index].replica.edit(edits, now: now)
      report.edits += 1
      try perform(actions, of: index)
      try editIsShown(edits, on: index)
    } catch let error as RecordsError {
      // A group deleted a moment ago by the same list, or the like: refused, and nothing done.
      guard error.code == .zoneNotFound || error.code == .unknownItem else { throw error }
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
}
