// The common part of worlds of complete devices: a broker, devices, the sockets between them, a clock and a
// random number generator. Each step performs one of the possible next events. A world adds people's actions
// and checks what is committed, received and shown.

import BrokerCore
import DeviceStore
import Records
import RecordsWire
import SyncCore

/// A world of a broker and whole devices.
protocol DeviceWorld {
  var generator: SimulationGenerator { get set }
  var broker: SimulatedBroker { get set }
  var devices: [SimulatedDevice] { get set }
  var sockets: [ConnectionID: SimulatedSocket] { get set }
  var lastConnection: Int { get set }
  /// Milliseconds since the world began.
  var milliseconds: Int64 { get set }
  /// The wall clock, which is the same on every machine.
  var now: Timestamp { get }
  var hasFaults: Bool { get set }
  var crashes: Int { get set }
  var faults: Odds<Fault> { get }
  /// Receives a line for every event, to debug a failed seed.
  var trace: ((String) -> Void)? { get }

  /// The store executed a request.
  mutating func executed(_ request: StorageRequest, _ result: StorageResult) throws
  /// The broker reported committed changes to devices.
  mutating func reported()
  /// A device received a message.
  mutating func received(_ message: BrokerMessage, by index: Int) throws
  /// A device sent its hello.
  func sentHello(_ hello: Hello, by index: Int) throws
  /// A device's wait for synchronization ended.
  mutating func synchronized(_ id: UInt64, on index: Int) throws
  /// A device's run over the timeline ended.
  mutating func readTimeline(_ outcome: PublicDatabaseSync.Outcome, on index: Int) throws
  /// Expires tombstones.
  mutating func expireTombstones() throws
  /// Deletes files that are not in use.
  mutating func collect() throws
  /// A device's process restarted.
  mutating func restarted(_ index: Int) throws
  /// Whether the device has work left that no timer and no message triggers.
  func isUnsettled(_ device: SimulatedDevice) throws -> Bool
}

extension DeviceWorld {
  func sentHello(_ hello: Hello, by index: Int) throws {}
  func synchronized(_ id: UInt64, on index: Int) throws {}
  func readTimeline(_ outcome: PublicDatabaseSync.Outcome, on index: Int) throws {}
  func restarted(_ index: Int) throws {}
  mutating func reported() {}

  var now: Timestamp { Timestamp(microseconds: 1_800_000_000_000_000 + milliseconds * 1000) }

  /// Starts a device.
  mutating func add(_ device: SimulatedDevice) throws {
    var device = device
    let actions = device.replica.start()
    device.wantsConnection = false
    devices.append(device)
    try perform(actions, of: device.index)
  }

  /// Calls `body` with the world and its generator, which would otherwise be accessed twice at once.
  mutating func throwing<Result>(
    _ body: (inout Self, inout SimulationGenerator) throws -> Result
  ) rethrows -> Result {
    var thrown = generator
    defer { generator = thrown }
    return try body(&self, &thrown)
  }

  // MARK: Settling

  /// Continues without faults until no event remains.
  /// - Throws: I16 if the world does not settle.
  mutating func settleDown() throws {
    hasFaults = false
    broker.isUp = true
    for id in sockets.keys.sorted(by: { $0.value < $1.value }) { try unstall(id) }
    // A broker that crashed during a cascade continues it at the next tick of its clock.
    try tick()
    var quietSteps = 0
    while try settle() {
      quietSteps += 1
      guard quietSteps < 60_000 else {
        throw InvariantViolation("I16", "the world does not settle: \(describeUnrest())")
      }
    }
  }

  /// Whether the device's connection ended without a sign, so that only its timers end it.
  private func isSilent(_ device: SimulatedDevice) -> Bool {
    device.socket.map { sockets[$0]?.isHalfOpen ?? true } ?? false
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

  /// Performs one event that needs no fault and no person; returns `false` if there is none.
  private mutating func settle() throws -> Bool {
    if try advance() { return true }
    return try devices.contains { device in
      if device.isAway { return false }
      if device.replica.phase != .live { return true }
      return try device.replica.reader.status().waitingEntries > 0
        || device.replica.reader.wantedAssets() > 0
        || device.timers[.acknowledgement] != nil || device.timers[.release] != nil
        || isSilent(device) || isUnsettled(device)
    } && fireNextTimer()
  }

  // MARK: Steps

  /// Performs one event that is in progress; returns `false` if there is none.
  mutating func advance() throws -> Bool {
    guard let choice = choices().randomElement(using: &generator) else {
      return hasFaults ? try fireNextTimer() : false
    }
    try take(choice)
    return true
  }

  private func choices() -> [Progress] {
    var choices: [Progress] = []
    for socket in sockets.values.sorted(by: { $0.id.value < $1.id.value }) {
      if socket.brokerRun != broker.run || !broker.isUp { choices.append(.notice(socket.id)) }
      if socket.isHalfOpen {
        if socket.isClosing { choices.append(.notice(socket.id)) }
        continue
      }
      if !socket.up.isEmpty { choices.append(.up(socket.id)) }
      if !socket.down.isEmpty, !socket.isStalled { choices.append(.down(socket.id)) }
      if socket.down.isEmpty, socket.unreportedSegments > 0 { choices.append(.segment(socket.id)) }
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
    for device in devices where device.wantsConnection && !device.isAway {
      choices.append(.connect(device.index))
    }
    return choices
  }

  private mutating func take(_ progress: Progress) throws {
    switch progress {
    case .notice(let id): try notice(id)
    case .up(let id): try deliverUp(id)
    case .down(let id): try deliverDown(id)
    case .segment(let id):
      sockets[id]?.unreportedSegments -= 1
      try perform(broker.handle(.segmentWasWritten(id)))
    case .commit:
      let committed = throwing { $0.broker.commit(at: $0.now, generator: &$1) }
      for (request, result) in committed { try executed(request, result) }
    case .report:
      try perform(broker.report())
      reported()
    case .read: try perform(throwing { $0.broker.read(at: $0.now, generator: &$1) })
    case .brokerDisk:
      if let result = broker.disk.perform(broker.store) {
        try perform(broker.handle(.assetDone(result)))
      }
    case .deviceDisk(let index):
      let (message, actions) = try devices[index].useDisk(now: now)
      if let message { try perform([.conversation(.send(id: message.id, message.1))], of: index) }
      try perform(actions, of: index)
    case .connect(let index): try connect(index)
    }
  }

  mutating func fireNextTimer() throws -> Bool {
    var next: (due: Int64, device: Int, timer: SyncTimer)?
    for device in devices where !device.isAway {
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

/// An event in progress that can continue.
private enum Progress {
  case notice(ConnectionID)
  case up(ConnectionID)
  case down(ConnectionID)
  case segment(ConnectionID)
  case commit
  case report
  case read
  case brokerDisk
  case deviceDisk(Int)
  case connect(Int)
}
