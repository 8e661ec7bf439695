import Processes
import Records
import Testing

extension EndToEnd {
  @Suite(
    "T7 alerts on a real session bus",
    .enabled(if: SessionBus.isPossible, "This machine has no dbus-daemon (package dbus)."))
  struct DesktopTests {
    @Test func `what is allowed shows, escaped, joined, and never one's own`() async throws {
      let directory = try TemporaryDirectory()
      let bus = try await SessionBus(in: directory)
      let desktop = try await FakeDesktop(address: bus.address)
      defer { desktop.stop() }
      let broker = try await RunningBroker()
      let laptop = try await Device("laptop", brokerPath: broker.socketPath)
      let phone = try await Device(
        "phone", brokerPath: broker.socketPath,
        environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
      _ = try await Agreement.wait(among: [laptop.requests, phone.requests])
      _ = try await phone.control(
        "subscribe", "--id", "s", "--type", "Contact", "--title", "{firstName}", "--alert",
        "at {company}")
      try await phone.settles()

      // Nobody was asked yet.
      _ = try await laptop.requests.add(first: "Quiet")
      _ = try await phone.notifications(1)
      #expect(try await phone.control("permission", "notifications").rows == [["ask"]])
      #expect(try await phone.control("permission", "notifications", "allow").rows == [["allow"]])

      let id = try await laptop.requests.add(first: "Ada <b>", company: "<i>A&B</i>")
      try await Patience.wait(until: "an alert") { !desktop.shown.isEmpty }
      #expect(
        desktop.shown.first
          == FakeDesktop.Shown(
            application: "Contacts", replaced: 0, title: "Ada <b>",
            body: "at &lt;i&gt;A&amp;B&lt;/i&gt;"))
      #expect(desktop.shown.count == 1)
      try await phone.requests.setCompany(of: id, to: "Of the phone")
      try await laptop.shows(id, "the phone's edit") { $0.company == "Of the phone" }
      for number in 1...3 { _ = try await laptop.requests.add(first: "Many\(number)") }
      try await Patience.wait(until: "the alerts to join") {
        desktop.shown.last?.title.hasSuffix("contacts changed") == true
      }
      #expect(!desktop.shown.contains { $0.body.contains("Of the phone") })

      #expect(try await phone.control("permission", "notifications", "deny").rows == [["deny"]])
      let count = desktop.shown.count
      _ = try await laptop.requests.add(first: "Denied")
      _ = try await phone.notifications(6)
      #expect(desktop.shown.count == count)
    }

    @Test func `a bus that goes and comes again is found again; without one all goes on`()
      async throws
    {
      let directory = try TemporaryDirectory()
      let broker = try await RunningBroker()
      let laptop = try await Device("laptop", brokerPath: broker.socketPath)
      let phone = try await Device(
        "phone", brokerPath: broker.socketPath,
        environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory.file("bus"))"])
      _ = try await Agreement.wait(among: [laptop.requests, phone.requests])
      _ = try await phone.control(
        "subscribe", "--id", "s", "--type", "Contact", "--title", "{firstName}")
      _ = try await phone.control("permission", "notifications", "allow")
      try await phone.settles()
      for number in 1...2 {
        _ = try await laptop.requests.add(first: "Nobody\(number)")
        _ = try await phone.notifications(number)
      }
      try await Patience.wait(until: "one line in the log") {
        phone.agent.standardError.contains("No desktop shows notifications")
      }
      for round in 1...2 {
        let bus = try await SessionBus(in: directory)
        let desktop = try await FakeDesktop(address: bus.address, hasMarkup: round == 1)
        _ = try await laptop.requests.add(first: "Round & \(round)")
        try await Patience.wait(until: "an alert in round \(round)") {
          desktop.shown.contains {
            $0.title.contains("Round & \(round)") || $0.body.contains("\(round)")
          }
        }
        desktop.stop()
        try await bus.kill()
      }
      let lines = phone.agent.standardError.split(separator: "\n")
      #expect(lines.filter { $0.contains("No desktop shows notifications") }.count <= 3)
      #expect(try await phone.control("status").rows.first == ["live"])
    }
  }
}
