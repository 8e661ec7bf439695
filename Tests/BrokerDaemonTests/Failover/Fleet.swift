// All devices and brokers of a run, served by one loop, so that what the devices send and get has one order.

import PredicateWorld
import Processes
import Records

/// The devices of a run and the brokers to which they connect.
struct Fleet {
  let plan: FleetPlan
  let brokers: [FailoverBroker]
  let devices: [FleetDevice]
  var history: FailoverHistory
  var problems: [String] = []
  /// Whether devices make new requests.
  var isWriting = true
  /// Whether a server fails now. Devices cannot become live meanwhile.
  var isServerFailing = false
  /// How long devices of killed and stopped brokers took to become live at another one, while the servers worked.
  private(set) var moves: [Duration] = []
  /// The same where another broker was paused meanwhile: it may have had the turn, or be the one that a device tried.
  private(set) var movesBesidePauses: [Duration] = []
  private(set) var ids: [DeviceID: Int] = [:]
  private var generator: SeededGenerator

  init(plan: FleetPlan, brokers: [FailoverBroker], generator: SeededGenerator) {
    self.plan = plan
    self.brokers = brokers
    self.generator = generator
    devices = (0..<FleetPlan.deviceCount).map { number in
      let account = FleetPlan.account(ofDevice: number)
      return FleetDevice(number, following: plan.zones.filter { $0.accounts.contains(account) })
    }
    history = FailoverHistory(accounts: devices.map(\.account))
  }

  /// Lets devices and brokers do what they can do now.
  mutating func step() throws {
    let now = ContinuousClock.now
    for broker in brokers {
      if let problem = try broker.supervise(at: now) { problems.append(problem) }
    }
    for device in devices {
      if device.connection == nil {
        connect(device, at: now)
      } else {
        try exchange(device, at: now)
      }
      if isWriting { write(device, at: now) }
      device.sendWaiting(at: now)
      finishMove(of: device, at: now)
    }
  }

  /// Runs for a time.
  mutating func run(for duration: Duration) async throws {
    let end = ContinuousClock.now + duration
    try await run(until: { _ in .now >= end })
  }

  /// Runs until a condition holds, which is looked at in each round.
  mutating func run(until isOver: (borrowing Self) -> Bool) async throws {
    while !isOver(self) {
      try step()
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  // MARK: Devices

  private mutating func connect(_ device: FleetDevice, at now: ContinuousClock.Instant) {
    guard now >= device.nextAttempt else { return }
    let broker = generator.one(of: brokers)
    guard !device.connect(to: broker, at: now) else { return }
    device.nextAttempt = now + .milliseconds(20 + generator.below(60))
  }

  private mutating func exchange(_ device: FleetDevice, at now: ContinuousClock.Instant) throws {
    guard let connection = device.connection else { return }
    let wasLive = device.isLive
    defer {
      let isLost = wasLive && device.connection == nil && device.lostSince == nil
      if isLost, brokers[connection.broker].isEnding { device.lostSince = now }
    }
    guard let frames = try connection.exchange(at: now), !connection.isSilent(at: now) else {
      return device.disconnect(until: now + .milliseconds(generator.below(50)))
    }
    guard !frames.isEmpty else { return }
    var reading = FleetDevice.Reading(plan: plan, now: now, devices: ids, history: history)
    history = FailoverHistory(accounts: [])
    let removal = device.removal
    for frame in frames { device.take(frame, &reading) }
    if device.removal == nil, let zone = removal?.zone {
      for other in devices where other.account == zone.owner { other.urgentZone = zone.number }
    }
    history = reading.history
    ids = reading.devices
    problems += reading.problems
  }

  private mutating func write(_ device: FleetDevice, at now: ContinuousClock.Instant) {
    let isDue = now >= device.nextWrite || device.urgentZone != nil
    guard isDue, device.isLive, device.waiting.count < 3 else { return }
    device.nextWrite = now + .milliseconds(20 + generator.below(800))
    if let zone = device.urgentZone {
      device.urgentZone = nil
      return device.write(to: [zone], using: &generator, &history)
    }
    let zones = device.zones.filter { !$0.value.isGone }.keys.sorted().shuffled(using: &generator)
    device.write(
      to: Array(zones.prefix(generator.percent(25) ? 2 : 1)), using: &generator, &history)
  }

  private mutating func finishMove(of device: FleetDevice, at now: ContinuousClock.Instant) {
    if isServerFailing { device.lostSince = nil }
    guard let start = device.lostSince else {
      device.isBesidePause = false
      return
    }
    if brokers.contains(where: \.isPaused) { device.isBesidePause = true }
    guard device.isLive else { return }
    device.lostSince = nil
    if device.isBesidePause {
      movesBesidePauses.append(now - start)
    } else {
      moves.append(now - start)
    }
  }

  // MARK: Faults

  /// Kills a broker.
  func kill(_ broker: FailoverBroker, for downtime: Duration) {
    broker.kill(for: downtime)
    for device in devices where device.connection?.broker == broker.number && device.isLive {
      device.lostSince = .now
    }
  }

  /// Lets a connected device of an owner remove a participant. The owner's other devices write at once when it is done.
  mutating func removeParticipant() {
    let zones = plan.zones.filter { zone in
      !zone.participants.allSatisfy { isRemoved($0, from: zone.number) }
    }
    guard let zone = zones.randomElement(using: &generator),
      let account = zone.participants.filter({ !isRemoved($0, from: zone.number) })
        .randomElement(using: &generator),
      let device = devices.filter({ $0.account == zone.owner && $0.removal == nil })
        .randomElement(using: &generator)
    else { return }
    removals.insert([account, zone.number])
    history.add(.removing(account: account, zone: zone.number))
    device.removal = FleetDevice.Removal(zone: zone, account: account, id: plan.accounts[account])
  }

  /// The accounts and zones of all removals so far.
  private var removals: Set<[Int]> = []

  private func isRemoved(_ account: Int, from zone: Int) -> Bool {
    removals.contains([account, zone])
  }
}
