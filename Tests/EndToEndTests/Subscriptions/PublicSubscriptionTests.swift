import BrokerClient
import Processes
import Testing

extension EndToEnd {
  @Suite("K5, T6, I11 the public database with real processes")
  struct PublicSubscriptionTests {
    /// Returns the rows of `notifications`, without their first two columns, once there are `count`.
    private func notifications(_ device: Device, _ count: Int) async throws -> [[String]] {
      try await Patience.wait(for: "\(count) notifications") {
        let rows = try await device.control("notifications").rows
        return rows.count >= count ? rows.map { Array($0.dropFirst(2)) } : nil
      }
    }

    @Test
    func `an agent is notified of other accounts' public records, but not of hidden ones`()
      async throws
    {
      let broker = try await RunningBroker(
        settings: ["CONTACTS_BROKER_PUBLIC": "Secret: read creator"])
      let tablet = try await Device("tablet", account: "bob", brokerPath: broker.socketPath)
      for type in ["Post", "Secret"] {
        let made = try await tablet.control(
          "subscribe", "--id", "new-\(type)", "--database", "public", "--type", type, "--on",
          "created", "--alert", "New: {caption}", "--keys", "caption")
        try #require(made.status == 0, "\(made.error)")
      }
      try await tablet.settles()
      try await Patience.wait(until: "the subscriptions to be saved") {
        try await tablet.control("subscriptions").rows.allSatisfy { $0[1] != "saving" }
      }
      let carol = Container(
        name: "contacts", broker: .unixSocket(broker.socketPath), account: "carol",
        device: DeviceIdentity(name: "script"))
      for (type, caption) in [("Secret", "Mine"), ("Post", "Frost"), ("Post", "Snow")] {
        try await carol.publicDatabase.save(
          Record(
            recordType: type, id: RecordID(recordName: caption),
            fields: ["caption": .string(caption)]))
      }
      let received = try await self.notifications(tablet, 2)
      #expect(
        received.map { $0.contains("New: Frost") || $0.contains("New: Snow") } == [true, true])
      #expect(received.map(\.first) == ["new-Post", "new-Post"])
      try await broker.kill()
      try await broker.restart()
      try await carol.publicDatabase.save(
        Record(recordType: "Post", id: RecordID(recordName: "c"), fields: ["caption": "Rain"]))
      #expect(try await self.notifications(tablet, 3).last?.contains("New: Rain") == true)
      let zone = try await tablet.control("subscribe", "--database", "public")
      #expect(zone.status == 65, "\(zone.error)")
      await carol.close()
    }
  }
}
