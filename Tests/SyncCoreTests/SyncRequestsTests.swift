// A copy of a device becomes a new device, and tells the broker which one it was.

import Records
import SyncCore
import Testing

@Suite("I20 the identity of a copied device")
struct SyncRequestsTests {
  private var generator = SeededGenerator(seed: 1)
  private let device = DeviceID(8)
  private let copied = RecordsError(.constraintViolation, "A copy.", reason: "clonedDevice")

  @Test mutating func `a copy names its former device in each hello until its welcome`() {
    var machine = SyncMachineTests.machine()
    #expect(hello(&machine)?.formerDevice == nil)
    welcome(&machine, as: device)
    _ = machine.received(.goodbye(copied), replyTo: 0, using: &generator)
    machine.tookIdentity(key: [2])
    let first = hello(&machine)
    #expect(first?.device == nil && first?.deviceKey == [2])
    #expect(first?.formerDevice == FormerDevice(device, key: [1]))
    _ = machine.disconnected(using: &generator)
    #expect(hello(&machine) == first)
    welcome(&machine, as: DeviceID(9))
    _ = machine.disconnected(using: &generator)
    let last = hello(&machine)
    #expect(last?.device == DeviceID(9) && last?.formerDevice == nil)
  }

  @Test mutating func `a copy that takes a second key before its welcome names the same device`() {
    var machine = SyncMachineTests.machine()
    _ = hello(&machine)
    welcome(&machine, as: device)
    for key: UInt8 in [2, 3] {
      _ = machine.received(.goodbye(copied), replyTo: 0, using: &generator)
      machine.tookIdentity(key: [key])
      let hello = hello(&machine)
      #expect(hello?.deviceKey == [key])
      #expect(hello?.formerDevice == FormerDevice(device, key: [1]))
    }
  }

  @Test mutating func `a copy that its welcome reveals names the device of that welcome`() {
    var machine = SyncMachineTests.machine(lastNumber: 2, acknowledged: 2)
    _ = hello(&machine)
    welcome(&machine, as: device, lastNumber: 5)
    #expect(machine.identity.former == FormerDevice(device, key: [1]))
    #expect(machine.identity.device == nil)
  }

  // MARK: -

  private func hello(_ machine: inout SyncMachine) -> Hello? {
    _ = machine.wake()
    guard case .action(.send(_, .hello(let hello))) = machine.connected().first else { return nil }
    return hello
  }

  private mutating func welcome(
    _ machine: inout SyncMachine, as device: DeviceID, lastNumber: Int64 = 0
  ) {
    let welcome = Welcome(
      version: 1, account: AccountID(7), accountName: "ada", device: device,
      lastNumber: RequestNumber(lastNumber), directory: .zero, heartbeatSeconds: 30)
    _ = machine.received(.welcome(welcome), replyTo: 1, using: &generator)
  }
}
