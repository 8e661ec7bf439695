import Records
import SyncCore
import Testing

@Suite("R5 network changes")
struct NetworkChangeTests {
  private var generator = SeededGenerator(seed: 1)

  private static let welcome = Welcome(
    version: 1, account: AccountID(7), accountName: "ada", device: DeviceID(8), lastNumber: .zero,
    directory: .zero, heartbeatSeconds: 30)

  private mutating func live() -> SyncMachine {
    var machine = SyncMachineTests.machine()
    _ = machine.wake()
    guard case .action(.send(let id, .hello))? = machine.connected().first else { return machine }
    _ = machine.received(.welcome(Self.welcome), replyTo: id, using: &generator)
    return machine
  }

  /// The waits until a heartbeat is due.
  private func heartbeats(_ steps: [SyncStep]) -> [Int] {
    steps.compactMap {
      if case .action(.wait(.heartbeat, let milliseconds)) = $0 { milliseconds } else { nil }
    }
  }

  @Test
  mutating func `a device without a connection connects at once, and waits little if that fails`() {
    var machine = SyncMachineTests.machine()
    for _ in 0..<20 {
      _ = machine.wake()
      _ = machine.disconnected(using: &generator)
    }
    let steps = machine.networkChanged(using: &generator)
    #expect(steps.contains(.action(.connect)))
    let failed = machine.disconnected(using: &generator)
    let waits = failed.compactMap { step in
      if case .action(.wait(.reconnect, let milliseconds)) = step { milliseconds } else { nil }
    }
    #expect(waits.count == 1 && waits[0] <= Backoff.firstMilliseconds)
  }

  @Test mutating func `an attempt on the former network is given up`() {
    var machine = SyncMachineTests.machine()
    _ = machine.wake()
    let steps = machine.networkChanged(using: &generator)
    #expect(steps.first == .action(.disconnect))
    let next = machine.fired(.reconnect, using: &generator)
    #expect(next.contains(.action(.connect)))
  }

  @Test mutating func `a connection that answers stays`() {
    var machine = live()
    let steps = machine.networkChanged(using: &generator)
    #expect(steps.contains { if case .action(.send(_, .ping)) = $0 { true } else { false } })
    #expect(heartbeats(steps).allSatisfy { $0 <= 10_000 } && heartbeats(steps).count == 1)
    _ = machine.received(.pong, replyTo: 0, using: &generator)
    let next = machine.fired(.heartbeat, using: &generator)
    #expect(!next.contains(.action(.disconnect)))
  }

  @Test mutating func `a silent connection ends within ten seconds`() {
    var machine = live()
    let asked = machine.networkChanged(using: &generator)
    let late = machine.fired(.heartbeat, using: &generator)
    let next = machine.fired(.heartbeat, using: &generator)
    #expect(next.contains(.action(.disconnect)))
    #expect(heartbeats(asked + late).reduce(0, +) == 10_000)
  }

  @Test mutating func `a signed-out device stays out`() {
    var machine = SyncMachineTests.machine()
    machine.stayOut(because: RecordsError(.notAuthenticated, "Not signed in."))
    let steps = machine.networkChanged(using: &generator)
    #expect(steps.isEmpty)
  }
}
