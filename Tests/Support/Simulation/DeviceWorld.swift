// What worlds of whole devices have in common: a broker, the devices, the sockets between them, a clock
// and dice. At each step one of the things that could happen next happens. A world adds the people, and
// looks at what is committed, heard and shown.

import BrokerCore
import DeviceStore
import Records
import RecordsWire
import SyncCore

/// A world of a broker and whole devices.
protocol DeviceWorld {
  var dice: Dice { get set }
  var broker: SimulatedBroker { get set }
  var devices: [SimulatedDevice] { get set }
  var sockets: [ConnectionID: SimulatedSocket] { get set }
  var lastConnection: Int { get set }
  /// The clock.
  var milliseconds: Int64 { get set }
  /// What the clock on the wall says, everywhere the same.
  var now: Timestamp { get }
  var hasFaults: Bool { get set }
  var crashes: Int { get set }
  var faults: Odds<Fault> { get }
  /// Told of everything that happens, for whoever looks into a seed that failed.
  var trace: ((String) -> Void)? { get }

  /// The store did this for a request.
  mutating func took(_ request: StorageRequest, _ result: StorageResult) throws
  /// Somebody was told of what was committed.
  mutating func reported()
  /// A message arrived at a device.
  mutating func heard(_ message: BrokerMessage, by index: Int) throws
  /// A device greets the broker.
  func greeted(_ hello: Hello, by index: Int) throws
  /// A device's wait for a whole sync is over.
  mutating func synchronized(_ id: UInt64, on index: Int) throws
  /// A device's run over the timeline is over.
  mutating func readTimeline(_ ending: TimelineSync.Ending, on index: Int) throws
  /// Tombstones are old enough to go.
  mutating func reap() throws
  /// Files that nothing needs are looked for.
  mutating func collect() throws
  /// A device's process was started again.
  mutating func restarted(_ index: Int) throws
  /// Whether the device has still something to do that no timer and no message brings about.
  func isUnsettled(_ device: SimulatedDevice) throws -> Bool
}

extension DeviceWorld {
  func greeted(_ hello: Hello, by index: Int) throws {}
  func synchronized(_ id: UInt64, on index: Int) throws {}
  func readTimeline(_ ending: TimelineSync.Ending, on index: Int) throws {}
  func restarted(_ index: Int) throws {}
  mutating func reported() {}

  var now: Timestamp { Timestamp(microseconds: 1_800_000_000_000_000 + milliseconds * 1000) }

  /// Has a device begin.
  mutating func add(_ device: SimulatedDevice) throws {
    var device = device
    let actions = device.replica.start()
    device.wantsConnection = false
    devices.append(device)
    try perform(actions, of: device.index)
  }

  /// Does something with the world and its dice, which nothing else throws meanwhile.
  mutating func throwing<Result>(
    _ body: (inout Self, inout Dice) throws -> Result
  ) rethrows -> Result {
    var thrown = dice
    defer { dice = thrown }
    return try body(&self, &thrown)
  }

  // MARK: Settling

  /// Plays on without faults until nothing happens any more.
  /// - Throws: I16 when that does not come about.
  mutating func settleDown() throws {
    hasFaults = false
    broker.isUp = true
    for id in sockets.keys.sorted(by: { $0.value < $1.value }) { try unstall(id) }
    // A broker that died in the middle of a cascade goes on with it when its clock ticks.
    try tick()
    var quietSteps = 0
    while try settle() {
      quietSteps += 1
      guard quietSteps < 60_000 else {
        throw InvariantViolation("I16", "the world does not come to rest: \(describeUnrest())")
      }
    }
  }

  private func describeUnrest() -> String {
    devices.map { device in
      let reader = device.replica.reader
      let waiting = (try? reader.status().waitingEntries) ?? -1
      let wanted = (try? reader.wantedAssets()) ?? -1
      return "device \(device.index) \(device.replica.phase) \(device.timers.keys), "
        + "\(waiting) entries wait, \(wanted) files are wanted"
    }.joined(separator: "; ")
  }

  /// One thing happens that needs no fault and no person; `false` when the world is quiet.
  private mutating func settle() throws -> Bool {
    if try advance() { return true }
    return try devices.contains { device in
      if device.replica.phase != .live { return true }
      return try device.replica.reader.status().waitingEntries > 0
        || device.replica.reader.wantedAssets() > 0
        || device.timers[.acknowledgement] != nil || device.timers[.release] != nil
        || isUnsettled(device)
    } && fireNextTimer()
  }

  // MARK: Steps

  /// Something that is under way goes one step on; `false` when nothing is.
  mutating func advance() throws -> Bool {
    guard let choice = choices().randomElement(using: &dice) else {
      return hasFaults ? try fireNextTimer() : false
    }
    try take(choice)
    return true
  }

  private func choices() -> [Progress] {
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
    return choices
  }

  private mutating func take(_ progress: Progress) throws {
    switch progress {
    case .notice(let id): try cut(id)
    case .up(let id): try deliverUp(id)
    case .down(let id): try deliverDown(id)
    case .piece(let id):
      sockets[id]?.unreportedPieces -= 1
      try perform(broker.handle(.segmentWasWritten(id)))
    case .commit:
      let committed = throwing { $0.broker.commit(at: $0.now, dice: &$1) }
      for (request, result) in committed { try took(request, result) }
    case .report:
      try perform(broker.report())
      reported()
    case .read: try perform(throwing { $0.broker.read(at: $0.now, dice: &$1) })
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
}

/// Something that is under way and can go on.
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
