import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite(
    "T7 alerts on a real session bus",
    .enabled(if: SessionBus.isPossible, "This machine has no dbus-daemon (package dbus)."))
  struct DesktopTests {
    @Test func `permitted alerts show, escaped and joined, and never for the device's own changes`()
      async throws
    {
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

      // The permission was not requested yet.
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

    @Test func `photos of a followed author raise alerts until the author is unfollowed`()
      async throws
    {
      let directory = try TemporaryDirectory()
      let bus = try await SessionBus(in: directory)
      let desktop = try await FakeDesktop(address: bus.address)
      defer { desktop.stop() }
      let broker = try await RunningBroker()
      let laptop = try await Device("laptop", brokerPath: broker.socketPath)
      let tablet = try await Device(
        "tablet", account: "bob", brokerPath: broker.socketPath,
        environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
      for device in [laptop, tablet] {
        try await device.settles()
        _ = try await device.does("permission", "discoverability", "allow")
      }
      _ = try await tablet.does("permission", "notifications", "allow")
      let first = try await post(1, "First", laptop)
      try await sees("First", tablet)
      #expect(try await tablet.does("follow", first, "--author") == "following")
      try await subscriptionsAreSaved(on: tablet)

      _ = try await post(2, "Second", laptop)
      try await Patience.wait(until: "an alert for the second photo") { desktop.shown.count == 1 }
      #expect(desktop.shown.first?.title == "alice posted a photo")
      #expect(desktop.shown.first?.application == "Contacts")

      // Without the subscription there is no alert. The later alert proves that an earlier one would have
      // arrived.
      #expect(try await tablet.does("follow", first, "--author", "--toggle") == "not following")
      #expect(try await tablet.does("follow", first) == "following")
      try await subscriptionsAreSaved(on: tablet)
      _ = try await post(3, "Third", laptop)
      _ = try await laptop.does("comment", first, "Behind the third")
      try await Patience.wait(until: "an alert for the comment") { desktop.shown.count >= 2 }
      #expect(desktop.shown.last?.body == "Behind the third")

      #expect(try await tablet.does("follow", first, "--author", "--toggle") == "following")
      try await subscriptionsAreSaved(on: tablet)
      _ = try await post(4, "Fourth", laptop)
      try await Patience.wait(until: "an alert for the fourth photo") {
        desktop.shown.last?.title == "alice posted a photo"
      }
      let count = desktop.shown.count

      #expect(try await tablet.does("unfollow", first, "--author") == "not following")
      try await subscriptionsAreSaved(on: tablet)
      _ = try await post(5, "Fifth", laptop)
      _ = try await laptop.does("comment", first, "Behind the fifth")
      try await Patience.wait(until: "the last comment's alert") {
        desktop.shown.last?.body == "Behind the fifth"
      }
      #expect(desktop.shown.count == count + 1)
      try await sees("Fifth", tablet)
    }

    /// Waits until the broker has the device's subscriptions.
    private func subscriptionsAreSaved(on device: Device) async throws {
      #expect(try await device.does("sync", "--wait") == "live")
      // An alert within a second of another one would be joined to it.
      try await Task.sleep(for: .seconds(2))
    }

    private func post(_ seed: Int, _ caption: String, _ device: Device) async throws -> String {
      let path = device.directory.file("photo-\(seed).png")
      try TimelineTests.picture(seed, byteCount: 2000).write(to: URL(filePath: path))
      return try await device.does("post", "add", path, "--caption", caption)
    }

    private func sees(_ caption: String, _ device: Device) async throws {
      try await Patience.wait(until: "“\(caption)” on \(device.name)") {
        try await device.control("post", "list").rows.contains { $0.last == caption }
      }
    }

    @Test func `a bus that restarts is found again, and without one the agent continues`()
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
        phone.agent.standardError.contains("Cannot show desktop notifications")
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
      #expect(lines.filter { $0.contains("Cannot show desktop notifications") }.count <= 3)
      #expect(try await phone.control("status").rows.first == ["live"])
    }
  }
}
