// The unread answers of an account have a limit, however many connections it has, and every connection gets
// its turn.

import Records
import Testing

@testable import BrokerCore

/// Turns of connections that are identified by numbers.
private final class Turns {
  private var turns = AnswerTurns()

  /// As many connections of the account as permitted have answers.
  init() {
    for value in 1...BrokerLimits.answeredConnectionsPerAccount { _ = begin(value) }
  }

  func begin(_ value: Int, of account: StoreKey = 1) -> Bool {
    turns.begin(ConnectionID(value), of: account)
  }

  func hold(_ value: Int) { turns.hold(ConnectionID(value), of: 1) }
  func end(_ value: Int) -> ConnectionID? { turns.end(ConnectionID(value), of: 1) }
  func forget(_ value: Int) -> ConnectionID? { turns.forget(ConnectionID(value), of: 1) }
  var isWaited: Bool { turns.hasWaiting(of: 1) }
}

@Suite("I11 turns of answers")
struct AnswerTurnsTests {
  private let turns = Turns()

  @Test func `the next connection gets its turn when another has read its answers`() {
    #expect(!turns.begin(100))
    #expect(!turns.begin(101))
    #expect(turns.isWaited)
    #expect(turns.end(3) == ConnectionID(100))
    #expect(turns.end(100) == ConnectionID(101))
    #expect(!turns.isWaited)
  }

  @Test func `another account does not wait`() {
    #expect(turns.begin(100, of: 2))
  }

  @Test func `a connection with answers gets more only if no other connection waits`() {
    #expect(turns.begin(1))
    #expect(!turns.begin(100))
    #expect(!turns.begin(1))
    #expect(turns.end(2) == ConnectionID(100))
    #expect(turns.end(1) == ConnectionID(1))
  }

  @Test func `a connection whose turn it is gets one answer, although others wait`() {
    #expect(!turns.begin(100))
    #expect(!turns.begin(101))
    #expect(turns.end(1) == ConnectionID(100))
    #expect(turns.begin(100))
    #expect(!turns.begin(100))
    #expect(turns.end(100) == ConnectionID(101))
  }

  @Test func `a connection that does not read counts, whether it had a turn or not`() {
    turns.hold(50)
    #expect(!turns.begin(100))
    #expect(turns.end(1) == nil)
    #expect(turns.end(50) == ConnectionID(100))
  }

  @Test func `a closed connection passes its turn on and leaves the line`() {
    for value in 100...102 { #expect(!turns.begin(value)) }
    #expect(turns.forget(100) == nil)
    #expect(turns.forget(1) == ConnectionID(101))
    #expect(turns.end(2) == ConnectionID(102))
    #expect(turns.end(3) == nil)
  }
}

@Suite("I11 many connections that do not read")
struct UnreadAnswerTests {
  private let maximum = BrokerLimits.answeredConnectionsPerAccount

  private func fetch(_ world: inout SmallBroker, _ connection: ConnectionID) -> Int {
    let id = RecordID(zone: .standard, name: RecordName(stored: "large"))
    let actions = world.say(.fetch([id]), from: connection, number: 7)
    return world.reads(in: actions).count
  }

  private func answer(_ world: inout SmallBroker, _ connection: ConnectionID) -> [BrokerAction] {
    world.broker.handle(.read(.client(.fetched([]), .fetch([]), context(connection, replyTo: 7))))
  }

  @Test func `the broker reads answers for a few connections, and for others once those were read`()
  {
    var world = SmallBroker()
    let crowd = (1...maximum + 2).map { ConnectionID($0) }
    for connection in crowd { world.open(connection) }
    let begun = crowd.map { fetch(&world, $0) }
    #expect(begun == Array(repeating: 1, count: maximum) + [0, 0])
    // The first socket is not writable, the second accepts its answer.
    _ = world.broker.handle(.writabilityChanged(crowd[0], isWritable: false))
    let first = answer(&world, crowd[0])
    #expect(world.reads(in: first).isEmpty)
    let second = answer(&world, crowd[1])
    #expect(world.reads(in: second).count == 1)
    let taken = world.broker.handle(.writabilityChanged(crowd[0], isWritable: true))
    #expect(world.reads(in: taken).count == 1)
  }

  @Test func `a stalled connection is closed after ten seconds if others of its account wait`() {
    var world = SmallBroker()
    let crowd = (1...maximum + 1).map { ConnectionID($0) }
    for connection in crowd { world.open(connection) }
    for connection in crowd.prefix(maximum) {
      _ = fetch(&world, connection)
      _ = world.broker.handle(.writabilityChanged(connection, isWritable: false))
      _ = answer(&world, connection)
    }
    let patience = BrokerLimits.stalledSecondsUnderContention
    let calm = world.broker.handle(.ticked(seconds: patience + 1))
    #expect(world.goodbye(in: calm) == nil)
    let begun = fetch(&world, crowd[maximum])
    #expect(begun == 0)
    let waited = world.broker.handle(.ticked(seconds: patience + 2))
    #expect(world.goodbye(in: waited)?.code == .serviceUnavailable)
    #expect(world.reads(in: waited).count == 1)
  }

  @Test func `the broker reads chunks of files for a few connections only`() throws {
    var world = SmallBroker()
    let crowd = (1...maximum + 1).map { ConnectionID($0) }
    let digest = try #require(AssetDigest(bytes: Array(repeating: 1, count: 32)))
    let fetch = AssetFetch(zone: .standard, digest: digest, offset: 0, byteCount: 100)
    for connection in crowd { world.open(connection) }
    let begun = crowd.map { connection in
      world.say(.fetchAsset(fetch), from: connection).count {
        if case .asset(.read) = $0 { true } else { false }
      }
    }
    #expect(begun == Array(repeating: 1, count: maximum) + [0])
  }
}
