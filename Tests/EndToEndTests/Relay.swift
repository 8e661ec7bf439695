// A socket between an agent and its broker, on which replies can be lost: what the agent sends goes
// through, what the broker answers is held until the connection is cut.

import Glibc
import Processes
import Records

/// Passes bytes between those who connect and a broker.
actor Relay {
  private struct Pair {
    let device: UnixSocket
    let broker: UnixSocket
    var toBroker: [UInt8] = []
    var toDevice: [UInt8] = []
    var isHolding = false
    var isOver = false
  }

  private let listener: UnixListener
  private let brokerPath: String
  private var pairs: [Pair] = []
  /// Whether it takes no connections.
  private(set) var isShut = false
  private var holdsNext = false
  /// What has been passed on, in bytes.
  private(set) var toBroker = 0
  /// What has been passed on the other way.
  private(set) var toDevice = 0

  init(at path: String, to brokerPath: String) throws {
    listener = try UnixListener(path: path)
    self.brokerPath = brokerPath
  }

  /// Relays as long as `body` runs.
  nonisolated func running(_ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await self.relay() }
      try await body()
      tasks.cancelAll()
    }
  }

  /// From here on nothing that the broker says comes through on today's connections.
  func holdReplies() {
    for index in pairs.indices { pairs[index].isHolding = true }
  }

  /// Nothing that is said on the next connection comes back through it.
  func holdRepliesOfNextConnection() {
    holdsNext = true
  }

  /// Ends today's connections; what was held is lost. New ones are whole again.
  func cut() {
    pairs = []
  }

  /// Ends today's connections and takes no new ones until `reopen`.
  func shut() {
    isShut = true
    pairs = []
  }

  /// Takes connections again.
  func reopen() { isShut = false }

  private func relay() async throws {
    while !Task.isCancelled {
      if let device = listener.accept(), !isShut,
        let broker = try? UnixSocket(path: brokerPath)
      {
        pairs.append(Pair(device: device, broker: broker, isHolding: holdsNext))
        holdsNext = false
      }
      for index in pairs.indices { pass(&pairs[index]) }
      pairs.removeAll(where: \.isOver)
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  private func pass(_ pair: inout Pair) {
    let up = Self.move(from: pair.device, to: pair.broker, &pair.toBroker, isHolding: false)
    let down = Self.move(
      from: pair.broker, to: pair.device, &pair.toDevice, isHolding: pair.isHolding)
    toBroker += up ?? 0
    toDevice += down ?? 0
    pair.isOver = up == nil || down == nil
  }

  /// Passes on what has come, of which no more is taken than one turn passes on; says how much was
  /// passed on, or `nil` when one of the two is gone.
  private static func move(
    from source: UnixSocket, to target: UnixSocket, _ waiting: inout [UInt8], isHolding: Bool
  ) -> Int? {
    // What waits is no longer than what a reader left.
    guard waiting.count < mostWaiting else { return pass(on: &waiting, to: target, isHolding) }
    guard let bytes = source.receiveSome() else { return nil }
    waiting += bytes
    return pass(on: &waiting, to: target, isHolding)
  }

  private static let mostWaiting = 256 << 10

  private static func pass(
    on waiting: inout [UInt8], to target: UnixSocket, _ isHolding: Bool
  ) -> Int? {
    guard !isHolding, !waiting.isEmpty else { return 0 }
    guard let count = target.sendSome(waiting[...]) else { return nil }
    waiting.removeFirst(count)
    return count
  }
}
