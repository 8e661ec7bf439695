import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("A1 ten bundled contacts, exactly once")
  struct FirstRunTests {
    @Test func `two devices that start at once have ten contacts, and deletions stay`()
      async throws
    {
      // Both agents start without a broker and connect to it at the same time.
      let broker = try await RunningBroker()
      try await broker.kill()
      let laptop = try await Device("laptop", brokerPath: broker.socketPath)
      let phone = try await Device("phone", brokerPath: broker.socketPath)
      #expect(try await laptop.requests.contacts().count == 10)
      #expect(try await phone.requests.contacts().count == 10)
      try await broker.restart()
      try await expectSame(10, laptop, phone)

      #expect(try await laptop.control("rm", "bundled-1-01", "bundled-1-02").status == 0)
      try await phone.misses("bundled-1-02")
      for device in [laptop, phone] {
        #expect(try await device.stop() == 0)
        try await device.restart()
      }
      try await expectSame(8, laptop, phone)
      let tablet = try await Device("tablet", brokerPath: broker.socketPath)
      try await expectSame(8, laptop, tablet)
    }

    @Test func `an agent that is killed during its first start has ten contacts in the end`()
      async throws
    {
      let broker = try await RunningBroker()
      for _ in 0..<kills {
        let directory = try TemporaryDirectory()
        let arguments = Device.arguments("torn", "carol", directory, broker.socketPath)
        let torn = try RunningProgram("contactsd", arguments)
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...150)))
        try await torn.kill()
        let again = try RunningProgram("contactsd", arguments)
        let requests = AgentRequests(socketPath: directory.file("a.sock"))
        try await Patience.wait(until: "ten contacts") {
          let status = try? await requests.status()
          guard status?.state == "live", status?.waitingEdits == 0 else { return false }
          return try await requests.contacts().count == 10
        }
        try await again.kill()
      }
    }

    private func expectSame(_ count: Int, _ one: Device, _ other: Device) async throws {
      try await one.settles()
      try await other.settles()
      try await Patience.wait(until: "\(count) contacts on \(one.name) and \(other.name)") {
        let contacts = try await one.requests.contacts()
        let others = try await other.requests.contacts()
        return contacts.count == count && contacts == others
      }
    }
  }
}
