// Faults of a simulated world: sockets are cut or lost without a sign, messages take longer than timers,
// processes crash at any moment, readers stop reading, brokers are unavailable, tombstones expire while a device is away, and clocks jump.

import BrokerCore
import BrokerStore
import DeviceStore
import Records

/// A fault, or a background task that can run at any moment.
enum Fault: Hashable, Sendable {
  case cut, halfOpen, late, deviceDies, brokerDies, brokerStaysAway, stall, clockJumps
  case expireTombstones, collect

  /// The usual weights.
  static let usual: Odds<Fault> = Odds([
    .cut: 2, .halfOpen: 2, .late: 4, .deviceDies: 2, .brokerDies: 1, .brokerStaysAway: 1, .stall: 1,
    .clockJumps: 1,
    .expireTombstones: 1, .collect: 1,
  ])
}

extension DeviceWorld {
  mutating func fault() throws {
    switch faults.next(&generator) {
    case .cut: if let id = randomSocket() { try cut(id) }
    case .halfOpen: if let id = randomSocket() { sockets[id]?.isHalfOpen = true }
    case .late: _ = try fireNextTimer()
    case .deviceDies: try crashDevice(generator.below(devices.count))
    case .brokerDies: crashBroker()
    case .brokerStaysAway:
      broker.isUp.toggle()
      if !broker.isUp { crashBroker() }
    case .stall:
      guard let id = randomSocket() else { return }
      if sockets[id]?.isStalled == true { try unstall(id) } else { try stall(id) }
    case .clockJumps: milliseconds += Int64(generator.below(86_400_000))
    case .expireTombstones: try expireTombstones()
    case .collect: try collect()
    }
  }

  private mutating func randomSocket() -> ConnectionID? {
    sockets.keys.sorted { $0.value < $1.value }.randomElement(using: &generator)
  }

  /// Ends a connection. Bytes in transit are lost, and both sides notice.
  mutating func cut(_ id: ConnectionID) throws {
    guard let socket = sockets.removeValue(forKey: id) else { return }
    if socket.brokerRun == broker.run { try perform(broker.handle(.closed(id))) }
    guard devices[socket.device].socket == id else { return }
    devices[socket.device].socket = nil
    devices[socket.device].connectionChanged()
    try perform(devices[socket.device].replica.disconnected(now: now), of: socket.device)
  }

  /// The device closes its side of a connection. The broker does not learn that of a half-open one.
  mutating func leave(_ index: Int) throws {
    guard let id = devices[index].socket else { return }
    devices[index].socket = nil
    if sockets[id]?.isHalfOpen != true { try cut(id) }
  }

  /// The broker closes its side of a connection, or crashed. The device does not learn that of a half-open one.
  mutating func notice(_ id: ConnectionID) throws {
    guard let socket = sockets[id], socket.isHalfOpen else { return try cut(id) }
    sockets[id] = nil
    if socket.brokerRun == broker.run { try perform(broker.handle(.closed(id))) }
  }

  mutating func crashDevice(_ index: Int) throws {
    crashes += 1
    trace?("device \(index) dies")
    if let id = devices[index].socket, let socket = sockets[id], !socket.isHalfOpen {
      sockets[id] = nil
      if socket.brokerRun == broker.run { try perform(broker.handle(.closed(id))) }
    }
    let actions = try throwing { try $0.devices[index].crash(now: $0.now, generator: &$1) }
    try restarted(index)
    try perform(actions, of: index)
  }

  /// The broker crashes. Its sockets are dead; the devices notice one by one.
  private mutating func crashBroker() {
    crashes += 1
    trace?("the broker dies")
    broker.crash()
  }

  /// The broker's clock ticks: old rows expire, and silent connections are closed.
  mutating func tick() throws {
    guard broker.isUp else { return }
    try perform(broker.handle(.ticked(seconds: milliseconds / 1000)))
  }

  private mutating func stall(_ id: ConnectionID) throws {
    guard let socket = sockets[id], socket.brokerRun == broker.run else { return }
    sockets[id]?.isStalled = true
    try perform(broker.handle(.writabilityChanged(id, isWritable: false)))
  }

  mutating func unstall(_ id: ConnectionID) throws {
    guard let socket = sockets[id], socket.isStalled else { return }
    sockets[id]?.isStalled = false
    guard socket.brokerRun == broker.run else { return }
    try perform(broker.handle(.writabilityChanged(id, isWritable: true)))
  }

  /// Deletes unused files on the broker and on one device.
  mutating func collectFiles(graceSeconds: Int64) throws {
    let (time, rows) = (now, 1 + generator.below(20))
    let gone = try broker.store.transact {
      try $0.collectAssets(graceSeconds: graceSeconds, at: time, rowsMaximum: rows)
    }
    broker.disk.remove(gone.digests)
    try devices[generator.below(devices.count)].collect(now: now)
  }

  /// Expires some tombstones, regardless of their age.
  mutating func expireSomeTombstones() throws {
    trace?("tombstones are reaped")
    let (time, rows) = (now.adding(seconds: 1), 1 + generator.below(20))
    _ = try broker.store.transact {
      try $0.expireTombstones(AgeCutoff(before: time), rowsMaximum: rows)
    }
  }
}

extension MaintenanceResult {
  /// The effects of a step of this job; `nil` if it failed or belongs to another job.
  func effects(of job: Job) -> CommitEffects? {
    guard self.job == job, case .done(let report) = outcome else { return nil }
    return report.effects
  }
}

extension StorageResult {
  /// The commits that devices can see.
  var committed: CommitEffects? {
    let effects: CommitEffects? =
      switch self {
      case .client(.modified(_, let effects), _): effects
      case .maintained(let result): result.effects(of: .cascades)
      default: nil
      }
    return effects.flatMap { $0.zones.isEmpty && $0.directories.isEmpty ? nil : $0 }
  }

  /// The same as text, for a trace.
  var described: String? {
    committed.map { effects in
      let changes = effects.zones.flatMap { commit in
        commit.changes.map {
          "\($0.name) \($0.kind) at \($0.tag) in \(commit.zone.id.name) by "
            + "\($0.modified.origin.device), \($0.modified.origin.request)"
        }
      }
      let erasures = effects.directories.flatMap(\.page.entries).filter {
        $0.erasedThrough > .zero || $0.isDeleted
      }.map { "\($0.zone.name) erased through \($0.erasedThrough)\($0.isDeleted ? ", gone" : "")" }
      return "committed: " + (changes + erasures).joined(separator: "; ")
    }
  }
}
