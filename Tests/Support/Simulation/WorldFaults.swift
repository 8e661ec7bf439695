// What goes wrong in a simulated world: sockets that are cut, processes that die at any moment,
// readers that stop reading, brokers that stay away, tombstones that are reaped while a device is
// gone, clocks that jump.

import BrokerCore
import BrokerStore
import DeviceStore
import Records

extension World {
  mutating func fault() throws {
    switch dice.below(10) {
    case 0, 1: if let id = randomSocket() { try cut(id) }
    case 2, 3: try crashDevice(dice.below(devices.count))
    case 4: crashBroker()
    case 5:
      broker.isUp.toggle()
      if !broker.isUp { crashBroker() }
    case 6:
      guard let id = randomSocket() else { return }
      if sockets[id]?.isStalled == true { try unstall(id) } else { try stall(id) }
    case 7: milliseconds += Int64(dice.below(86_400_000))
    case 8: try reap()
    case 9: try collectAssets()
    default: break
    }
  }

  private mutating func randomSocket() -> ConnectionID? {
    sockets.keys.sorted { $0.value < $1.value }.randomElement(using: &dice)
  }

  /// The connection ends; what was under way is lost, and both sides learn of it.
  mutating func cut(_ id: ConnectionID) throws {
    guard let socket = sockets.removeValue(forKey: id) else { return }
    if socket.brokerRun == broker.run { try perform(broker.handle(.closed(id))) }
    guard devices[socket.device].socket == id else { return }
    devices[socket.device].socket = nil
    devices[socket.device].connectionChanged()
    try perform(devices[socket.device].replica.disconnected(now: now), of: socket.device)
  }

  private mutating func crashDevice(_ index: Int) throws {
    report.crashes += 1
    trace?("device \(index) dies")
    if let id = devices[index].socket, let socket = sockets.removeValue(forKey: id) {
      if socket.brokerRun == broker.run { try perform(broker.handle(.closed(id))) }
    }
    let actions = try devices[index].crash(now: now, dice: &dice)
    try perform(actions, of: index)
  }

  /// The broker dies. Its sockets are dead; the devices notice one by one.
  private mutating func crashBroker() {
    report.crashes += 1
    trace?("the broker dies")
    broker.crash()
  }

  /// The broker's clock ticks: what is old is swept, and who was silent for long is left.
  mutating func tick() throws {
    guard broker.isUp else { return }
    try perform(broker.handle(.ticked(seconds: milliseconds / 1000)))
  }

  private mutating func stall(_ id: ConnectionID) throws {
    guard let socket = sockets[id], socket.brokerRun == broker.run else { return }
    sockets[id]?.isStalled = true
    try perform(broker.handle(.openness(id, isOpen: false)))
  }

  mutating func unstall(_ id: ConnectionID) throws {
    guard let socket = sockets[id], socket.isStalled else { return }
    sockets[id]?.isStalled = false
    guard socket.brokerRun == broker.run else { return }
    try perform(broker.handle(.openness(id, isOpen: true)))
  }

  /// Collects files on the broker and on one device, as they do from time to time.
  private mutating func collectAssets() throws {
    let gone = try broker.store.transact {
      try $0.collectAssets(
        graceSeconds: World.graceSeconds, at: now, rowsMaximum: 1 + dice.below(20))
    }
    broker.disk.remove(gone.digests)
    try devices[dice.below(devices.count)].collect(now: now)
    try checkers.filesAreThere(broker, devices)
  }

  /// Removes tombstones as if the horizon had passed for all of them.
  private mutating func reap() throws {
    history.hasReaped = true
    trace?("tombstones are reaped")
    _ = try broker.store.transact {
      try $0.reap(tombstonesBefore: now.adding(seconds: 1), rowsMaximum: 1 + dice.below(20))
    }
  }
}

extension World {
  /// What a request did, in a line.
  static func described(
    _ effects: CommitEffects, by device: DeviceID, _ number: RequestNumber
  ) -> String {
    let changes = effects.zones.flatMap { commit in
      commit.changes.map { "\($0.name) \($0.kind) at \($0.tag) in \(commit.zone.id.name)" }
    }
    let erasures = effects.directories.flatMap(\.page.entries).filter {
      $0.erasedThrough > .zero || $0.isDeleted
    }.map { "\($0.zone.name) erased through \($0.erasedThrough)\($0.isDeleted ? ", gone" : "")" }
    return "\(device) commits \(number): " + (changes + erasures).joined(separator: "; ")
  }
}
