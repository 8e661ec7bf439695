// The broker's state machine: events in, actions out, without a store or sockets.

import BrokerCore
import Records
import Testing

@Suite("B2, I5, I18, P10 broker state machine")
struct BrokerTests {
  private let one = ConnectionID(1)
  private let two = ConnectionID(2)

  // MARK: Greeting

  @Test func `the broker serves nothing before hello`() {
    var world = SmallBroker()
    _ = world.broker.handle(.opened(one, .localUser(0)))
    let actions = world.say(.ping, from: one)
    #expect(world.goodbye(in: actions)?.code == .notAuthenticated)
    #expect(world.broker.status.connections == 0)
  }

  @Test func `a second hello ends the connection`() {
    var world = SmallBroker()
    world.open(one)
    #expect(world.goodbye(in: world.say(.hello(world.hello()), from: one)) != nil)
  }

  @Test func `the broker refuses a device with an older protocol`() {
    var world = SmallBroker()
    _ = world.broker.handle(.opened(one, .localUser(0)))
    let actions = world.say(.hello(world.hello(version: 0)), from: one)
    #expect(world.goodbye(in: actions)?.code == .incompatibleVersion)
  }

  @Test func `a current device gets a welcome and an end of snapshot per zone, without a read`() {
    var world = SmallBroker()
    let token = ChangeToken(
      incarnation: Incarnation(7), revision: Revision(9), scanStart: .zero)
    let actions = world.open(one, zone: zone(head: 9), token: token)
    #expect(world.reads(in: actions).isEmpty)
    #expect(world.messages(in: actions).map(world.name) == ["welcome", "level"])
  }

  @Test(arguments: [(7, 10, 0, 0), (8, 5, 0, 0), (7, 3, 0, 6)] as [(Int, Int64, Int64, Int64)])
  func `a token that is ahead, expired or of another incarnation is reset`(
    incarnation: Int, revision: Int64, scanStart: Int64, reaped: Int64
  ) {
    var world = SmallBroker()
    let token = ChangeToken(
      incarnation: Incarnation(UInt128(incarnation)), revision: Revision(revision),
      scanStart: Revision(scanStart))
    let actions = world.open(one, zone: zone(head: 9, reaped: reaped), token: token)
    #expect(world.messages(in: actions).map(world.name) == ["welcome", "reset"])
  }

  // MARK: Changes

  @Test func `a commit is encoded once and sent to every live connection`() {
    var world = SmallBroker()
    world.openLive(one)
    world.openLive(two)
    let actions = world.commit([change("a", tag: 1)], from: 0, by: one)
    let published = world.publications(in: actions)
    #expect(published.count == 1)
    #expect(published.first.map { Set($0.connections) } == [one, two])
    #expect(world.encodings.value == 1)
  }

  @Test func `the outcome is sent before the change`() {
    var world = SmallBroker()
    world.openLive(one)
    let actions = world.commit([change("a", tag: 1)], from: 0, by: one)
    guard case .send(one, _, .outcome) = actions.first, case .publish = actions.last else {
      Issue.record("\(actions)")
      return
    }
  }

  @Test func `a commit that is too large for a frame is read from disk for every subscriber`() {
    var world = SmallBroker()
    world.openLive(one)
    let large: Fields = ["x": .bytes([UInt8](repeating: 1, count: 700_000))]
    let changes = [change("a", tag: 1, fields: large), change("b", tag: 2, fields: large)]
    let actions = world.commit(changes, from: 0, by: one)
    #expect(world.publications(in: actions).isEmpty)
    #expect(world.reads(in: actions).count == 1)
  }

  @Test func `a connection that does not read is sent nothing more, and catches up from the tail`()
  {
    var world = SmallBroker()
    world.openLive(one)
    world.openLive(two)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: false))
    for tag in 1...3 as ClosedRange<Int64> {
      let actions = world.commit([change("a\(tag)", tag: tag)], from: tag - 1, by: two)
      #expect(world.publications(in: actions).first?.connections == [two])
    }
    var segments = world.segments(
      in: world.broker.handle(.writabilityChanged(one, isWritable: true)))
    #expect(segments == 1, "one segment is in flight at a time")
    segments += world.segments(in: world.broker.handle(.segmentWasWritten(one)))
    segments += world.segments(in: world.broker.handle(.segmentWasWritten(one)))
    #expect(segments == 3)
    let actions = world.broker.handle(.segmentWasWritten(one))
    #expect(actions.isEmpty, "live again, without an end of snapshot")
  }

  // MARK: Checkpoints

  @Test func `a checkpoint is answered at once when everything was sent`() {
    var world = SmallBroker()
    world.openLive(one)
    #expect(world.messages(in: world.say(.checkpoint, from: one)).map(world.name) == ["checkpoint"])
  }

  @Test func `a checkpoint follows the changes before it`() {
    var world = SmallBroker()
    world.openLive(one)
    world.openLive(two)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: false))
    _ = world.commit([change("a", tag: 1)], from: 0, by: two)
    #expect(world.say(.checkpoint, from: one).isEmpty)
    let opened = world.broker.handle(.writabilityChanged(one, isWritable: true))
    #expect(world.segments(in: opened) == 1)
    let sent = world.broker.handle(.segmentWasWritten(one))
    #expect(world.messages(in: sent).map(world.name) == ["checkpoint"])
  }

  // MARK: Limits

  @Test func `a connection with too many requests is paused until half of them are done`() {
    var world = SmallBroker()
    world.openLive(one)
    var paused = false
    for number in 1...Int64(Limits.requestsInFlight) {
      paused = world.say(.modify(world.request(number)), from: one).contains(where: world.isPause)
    }
    #expect(paused)
    var resumedAfter: Int?
    for count in 1...Limits.requestsInFlight where resumedAfter == nil {
      let actions = world.broker.handle(
        .stored([client(.failed(.invalid("x")), one, queuedBytes: 10)]))
      if actions.contains(where: world.isResume) { resumedAfter = count }
    }
    #expect(resumedAfter == Limits.requestsInFlight / 2)
  }

  @Test func `a request that does not fit into the queue is refused as busy`() {
    var world = SmallBroker()
    world.openLive(one)
    let actions = world.say(
      .modify(world.request(1)), from: one, byteCount: BrokerLimits.queuedBytes + 1)
    guard case .send(one, _, .error(let error)) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(error.code == .zoneBusy)
    #expect(error.retryAfterSeconds != nil)
  }

  @Test func `a request with too many operations is refused as a whole`() {
    var world = SmallBroker()
    world.openLive(one)
    let operations = (0...Limits.operationsPerRequest).map { save("r\($0)", tag: nil) }
    let request = ModifyRequest(
      number: number(1), acknowledged: .zero,
      groups: [OperationGroup(zone: .standard, operations: operations)])
    let actions = world.say(.modify(request), from: one)
    guard case .send(one, _, .error(let error)) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(error.code == .limitExceeded)
  }

  // MARK: Closed connections

  @Test func `a connection that is signing in and does not read has the same time as others`() {
    var world = SmallBroker()
    _ = world.broker.handle(.ticked(seconds: 100))
    _ = world.broker.handle(.opened(one, .localUser(0)))
    _ = world.say(.hello(world.hello()), from: one)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: false))
    let early = world.broker.handle(.ticked(seconds: 101))
    #expect(world.goodbye(in: early) == nil)
    let late = world.broker.handle(.ticked(seconds: 101 + BrokerLimits.stalledSeconds))
    #expect(world.goodbye(in: late)?.code == .serviceUnavailable)
  }

  @Test func `a connection that sends no hello or does not read is closed`() {
    var world = SmallBroker()
    _ = world.broker.handle(.opened(one, .localUser(0)))
    world.openLive(two)
    let late = world.broker.handle(.ticked(seconds: BrokerLimits.greetingSeconds + 1))
    #expect(world.goodbye(in: late)?.code == .notAuthenticated)
    _ = world.broker.handle(.writabilityChanged(two, isWritable: false))
    let stalled = world.broker.handle(
      .ticked(seconds: BrokerLimits.greetingSeconds + BrokerLimits.stalledSeconds + 2))
    #expect(world.goodbye(in: stalled)?.retryAfterSeconds != nil)
    #expect(world.broker.status.connections == 0)
  }

  @Test func `malformed bytes close only their own connection`() {
    var world = SmallBroker()
    world.openLive(one)
    world.openLive(two)
    let actions = world.broker.handle(.receivedMalformed(one, .invalid("Not a frame.")))
    #expect(world.messages(in: actions).map(world.name) == ["goodbye"])
    #expect(world.broker.status.connections == 1)
    #expect(world.messages(in: world.say(.ping, from: two)).map(world.name) == ["pong"])
  }

  @Test func `an invalid message is refused, and its connection is closed unless it has signed in`()
  {
    var world = SmallBroker()
    world.openLive(one)
    _ = world.broker.handle(.opened(two, .localUser(1000)))
    let error = RecordsError.invalid("Too much.")
    let known = world.broker.handle(.receivedInvalid(one, number: 3, error))
    #expect(world.messages(in: known).map(world.name) == ["error"])
    let unknown = world.broker.handle(.receivedInvalid(two, number: 3, error))
    #expect(world.messages(in: unknown).map(world.name) == ["error", "goodbye"])
    #expect(world.broker.status.connections == 1)
  }

  @Test func `a connection is paused while it does not read its answers`() {
    var world = SmallBroker()
    world.openLive(one)
    let closed = world.broker.handle(.writabilityChanged(one, isWritable: false))
    let opened = world.broker.handle(.writabilityChanged(one, isWritable: true))
    guard case .pause(one)? = closed.first, case .resume(one)? = opened.first else {
      Issue.record("\(closed), \(opened)")
      return
    }
  }

  @Test func `a closed connection receives nothing`() {
    var world = SmallBroker()
    world.openLive(one)
    _ = world.say(.modify(world.request(1)), from: one)
    _ = world.broker.handle(.closed(one))
    let actions = world.commit([change("a", tag: 1)], from: 0, by: one)
    #expect(actions.isEmpty)
  }
}
