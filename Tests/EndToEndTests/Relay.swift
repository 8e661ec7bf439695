// A relay between an agent and its broker that can lose replies: it passes on what the agent sends, and holds
// what the broker answers until the connection is cut.

import Glibc
import Processes
import Records

/// Passes bytes between connected devices and a broker.
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
  /// Whether it refuses connections.
  private(set) var isShut = false
  private var holdsNext = false
  /// The number of bytes passed on to the broker.
  private(set) var toBroker = 0
  /// The number of bytes passed on to devices.
  private(set) var toDevice = 0

  init(at path: String, to brokerPath: String) throws {
    listener = try UnixListener(path: path)
    self.brokerPath = brokerPath
  }

  /// Relays while `body` runs.
  nonisolated func running(_ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await self.relay() }
      try await body()
      tasks.cancelAll()
    }
  }

  /// Holds all further replies on the current connections.
  func holdReplies() {
    for index in pairs.indices { pairs[index].isHolding = true }
  }

  /// Holds all replies on the next connection.
  func holdRepliesOfNextConnection() {
    holdsNext = true
  }

  /// Whether a held reply waits on a current connection.
  var hasHeldReply: Bool { pairs.contains { $0.isHolding && !$0.toDevice.isEmpty } }

  /// Ends the current connections; held replies are lost. New connections are not affected.
  func cut() {
    pairs = []
  }

  /// Ends the current connections and refuses new ones until `reopen`.
  func shut() {
    isShut = true
    pairs = []
  }

  /// Accepts connections again.
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

  /// Passes on received bytes. Returns their number, or `nil` if one of the two sides closed its connection.
  private static func move(
    from source: UnixSocket, to target: UnixSocket, _ waiting: inout [UInt8], isHolding: Bool
  ) -> Int? {
    // At most one unread chunk waits, so a slow reader stops the other side.
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
