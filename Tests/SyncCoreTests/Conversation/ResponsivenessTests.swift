import Records
import SyncCore
import Testing

@Suite("B3, I16 how a broker answers")
struct ResponsivenessTests {
  private var tests = SyncMachineTests()
  private var generator = SeededGenerator(seed: 1)

  /// Lets the next check of the silence happen.
  private mutating func check(_ machine: inout SyncMachine, after milliseconds: Int) -> [SyncStep] {
    pass(milliseconds, on: &machine)
    return machine.fired(.heartbeat, using: &generator)
  }

  private func pass(_ milliseconds: Int, on machine: inout SyncMachine) {
    machine.now = Timestamp(microseconds: machine.now.microseconds + Int64(milliseconds) * 1000)
  }

  /// The time of the last check that the steps set.
  private func wait(_ steps: [SyncStep]) -> Int? {
    steps.compactMap {
      if case .action(.wait(.heartbeat, let milliseconds)) = $0 { milliseconds } else { nil }
    }.last
  }

  private func ping(_ steps: [SyncStep]) -> UInt64? {
    steps.lazy.compactMap { if case .action(.send(let id, .ping)) = $0 { id } else { nil } }.first
  }

  /// A device whose broker is late since a ping, eight seconds after its last message.
  private mutating func late() -> (machine: SyncMachine, ping: UInt64) {
    var machine = tests.live(head: 0)
    let asked = check(&machine, after: 5000)
    _ = check(&machine, after: wait(asked) ?? 0)
    return (machine, ping(asked) ?? 0)
  }

  private let pingTime = Timestamp(microseconds: 5_000_000)

  @Test mutating func `the device of a broker that stops is offline within ten seconds, connected`()
  {
    var machine = tests.live(head: 0)
    let asked = check(&machine, after: 5000)
    #expect(ping(asked) != nil && machine.phase == .live)
    let steps = check(&machine, after: wait(asked) ?? 0)
    #expect(steps.contains(.action(.phaseChanged(.offline))))
    #expect(steps.contains(.action(.responsivenessChanged(.missing(since: pingTime)))))
    #expect(!steps.contains(.action(.disconnect)))
    #expect(machine.now.microseconds < 10_000_000)
  }

  @Test mutating func `a broker that continues finds its device live, after one pong`() {
    var (machine, ping) = late()
    pass(4000, on: &machine)
    let steps = machine.received(.pong, replyTo: ping, using: &generator)
    #expect(steps.contains(.action(.phaseChanged(.live))))
    #expect(machine.phase == .live && machine.responsiveness == .slow(milliseconds: 7000))
    let next = self.ping(check(&machine, after: wait(steps) ?? 0))
    pass(1, on: &machine)
    _ = machine.received(.pong, replyTo: next ?? 0, using: &generator)
    #expect(machine.responsiveness == .prompt)
  }

  @Test mutating func `a part of a message is an answer`() {
    var machine = late().machine
    let steps = machine.heard()
    #expect(steps.contains(.action(.phaseChanged(.live))) && wait(steps) == 5000)
    #expect(machine.responsiveness == .prompt)
  }

  @Test mutating func `what a user does on the device does not make a late broker live`() {
    var machine = late().machine
    let steps = machine.abandon(.standard)
    #expect(machine.phase == .offline)
    #expect(!steps.contains(.action(.phaseChanged(.live))))
  }

  @Test mutating func `the silence lasts over connections, until a welcome`() {
    var (machine, _) = late()
    let end = check(&machine, after: 22_000)
    #expect(end.contains(.action(.disconnect)) && machine.phase == .offline)
    _ = machine.fired(.reconnect, using: &generator)
    let hello = machine.connected()
    #expect(wait(hello) == 5000)
    _ = check(&machine, after: 5000)
    #expect(machine.responsiveness == .missing(since: pingTime) && machine.phase == .connecting)
    let again = check(&machine, after: 5000)
    #expect(again.contains(.action(.disconnect)))
    #expect(machine.responsiveness == .missing(since: pingTime))
    _ = machine.wake()
    _ = tests.greet(&machine, lastNumber: 0)
    #expect(machine.responsiveness == .prompt)
  }

  @Test mutating func `a hello without an answer is missing one after five seconds`() {
    var machine = SyncMachineTests.machine()
    _ = machine.wake()
    _ = machine.connected()
    let steps = check(&machine, after: 5000)
    #expect(
      steps.contains(.action(.responsivenessChanged(.missing(since: .init(microseconds: 0))))))
    #expect(machine.phase == .connecting)
  }

  @Test mutating func `a connection that breaks says more than the silence before it`() {
    var machine = late().machine
    let steps = machine.disconnected(using: &generator)
    #expect(steps.contains(.action(.responsivenessChanged(.prompt))))
  }

  @Test mutating func `a request that waits is a slow answer, although pings are prompt`() {
    var machine = tests.live(head: 0)
    _ = machine.froze(byteCount: 100)
    let asked = check(&machine, after: 5000)
    #expect(machine.responsiveness == .slow(milliseconds: 5000))
    _ = machine.received(.pong, replyTo: ping(asked) ?? 0, using: &generator)
    #expect(machine.phase == .live && machine.responsiveness == .slow(milliseconds: 5000))
    let outcome = ModifyOutcome(number: RequestNumber(1), groups: [])
    _ = machine.received(.outcome(outcome), replyTo: 0, using: &generator)
    #expect(machine.responsiveness == .prompt)
  }

  @Test mutating func `an idle device sends twelve pings a minute, and a busy one four`() {
    var machine = tests.live(head: 0)
    var pings = 0
    while machine.now.microseconds < 60_000_000 {
      guard let id = ping(check(&machine, after: 5000)) else { continue }
      pings += 1
      let steps = machine.received(.pong, replyTo: id, using: &generator)
      #expect(wait(steps) == 5000)
    }
    #expect(pings == 12 && machine.phase == .live)
    while machine.now.microseconds < 120_000_000 {
      pass(4000, on: &machine)
      _ = machine.heard()
      pings += ping(check(&machine, after: 1000)) == nil ? 0 : 1
    }
    #expect(pings == 16)
  }
}
