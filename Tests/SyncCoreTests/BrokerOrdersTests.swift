import Records
import SyncCore
import Testing

@Suite("Z2, K1 orders to the broker")
struct BrokerOrdersTests {
  private var generator = SeededGenerator(seed: 1)
  private let account = AccountID(7)
  private let order = BrokerOrder.share(.fetch(ZoneID(name: ZoneName(5))))

  /// A machine that the broker has welcomed.
  private mutating func ready() -> SyncMachine {
    var machine = SyncMachineTests.machine()
    _ = machine.wake()
    guard case .action(.send(let id, _)) = machine.connected().first else { return machine }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: DeviceID(8), lastNumber: .zero,
      directory: .zero, heartbeatSeconds: 30)
    _ = machine.received(.welcome(welcome), replyTo: id, using: &generator)
    return machine
  }

  private func message(_ steps: [SyncStep]) -> UInt64? {
    guard case .action(.send(let id, .share)) = steps.first else { return nil }
    return id
  }

  private func refusal(_ steps: [SyncStep], of id: UInt64) -> RecordsError.Code? {
    for case .action(.ordered(id: id, .refused(let error))) in steps { return error.code }
    return nil
  }

  @Test func `without a broker an order is refused at once`() {
    var machine = SyncMachineTests.machine()
    #expect(refusal(machine.give(order, id: 4), of: 4) == .serviceUnavailable)
  }

  @Test mutating func `the answer names the zone as the device does`() throws {
    var machine = ready()
    let id = try #require(message(machine.give(order, id: 4)))
    let share = Share(
      zone: ZoneID(owner: account, name: ZoneName(5)), title: "Rowing", publicPermission: .none,
      link: nil, participants: [])
    let steps = machine.received(.shared(.share(share)), replyTo: id, using: &generator)
    guard case .action(.ordered(id: 4, .share(.share(let told))))? = steps.first else {
      Issue.record("\(steps)")
      return
    }
    #expect(told.zone == ZoneID(name: ZoneName(5)))
    #expect(machine.received(.shared(.share(share)), replyTo: id, using: &generator).isEmpty)
  }

  @Test mutating func `a refusal is handed on, and nothing else is stopped by it`() throws {
    var machine = ready()
    let id = try #require(message(machine.give(order, id: 4)))
    let error = RecordsError(.permissionFailure, "No.")
    let steps = machine.received(.error(error), replyTo: id, using: &generator)
    #expect(steps == [.action(.ordered(id: 4, .refused(error)))])
    #expect(machine.hasRoomForRequest)
  }

  @Test mutating func `a lost connection ends all waits`() throws {
    var machine = ready()
    _ = machine.give(order, id: 4)
    _ = machine.give(order, id: 5)
    machine.forget(order: 5)
    let steps = machine.disconnected(using: &generator)
    #expect(refusal(steps, of: 4) == .serviceUnavailable)
    #expect(refusal(steps, of: 5) == nil)
  }
}
