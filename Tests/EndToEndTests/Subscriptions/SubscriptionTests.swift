import GRDB
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("K4, B2, B6, T7, I10 subscriptions with real processes")
  struct SubscriptionTests {
    @Test func `an edit on one device notifies the other device, and not the first`()
      async throws
    {
      let world = try await World()
      let made = try await world.phone.control(
        "subscribe", "--id", "acme", "--type", "Contact", "--where", "company == 'Acme'", "--title",
        "{firstName} {lastName}", "--alert", "is at {company}", "--keys", "company")
      #expect(made.status == 0 && made.rows == [["acme"]])
      #expect(made.error.contains("contactsctl permission notifications allow"))
      try await world.phone.settles()
      try await world.laptop.subscriptions(are: ["acme"])
      try await world.laptop.requests.setCompany(of: "bundled-1-01", to: "Acme")
      let notifications = try await world.phone.notifications(1)
      #expect(
        notifications[0].dropFirst(2) == [
          "acme", "entered", "Contact", BundledIDs.id(1), "Ada Quill", "Ada Quill", "is at Acme",
        ])
      try await world.laptop.requests.setCompany(of: "bundled-1-01", to: "Elsewhere")
      #expect(try await world.phone.notifications(2)[1][3] == "left")
      try await world.phone.requests.setCompany(of: "bundled-1-02", to: "Acme")
      let onLaptop = try await world.laptop.notifications(1)
      #expect(onLaptop.map { $0[5] } == [BundledIDs.id(2)])
      #expect(try await world.phone.notifications(2).count == 2)
      let json = try await world.phone.control("notifications", "--since", "1", "--json")
      #expect(json.output.hasPrefix(#"{"#) && json.output.contains(#""fields":{"company""#))
    }

    @Test func `a subscription saved offline is kept, sent, and notifies from then on`()
      async throws
    {
      let world = try await World()
      try await world.broker.kill()
      try await world.isDisconnected()
      let made = try await world.phone.control("subscribe", "--type", "Contact", "--on", "created")
      let id = try #require(made.rows.first?.first)
      #expect(made.status == 0 && id.hasPrefix("sub-"))
      #expect(try await world.phone.control("subscriptions").rows.map { $0[1] } == ["saving"])
      let wrong = try await world.phone.control(
        "subscribe", "--type", "Contact", "--where", "company === 'A'")
      #expect(wrong.status == 65)
      let lines = wrong.error.split(separator: "\n")
      #expect(lines.count >= 3 && lines[1] == "  company === 'A'" && lines[2] == "            ^")
      try await world.phone.kill()
      try await world.phone.restart()
      try await world.broker.restart()
      try await world.settle()
      try await world.laptop.subscriptions(are: [id])
      let contact = try await world.laptop.requests.add(first: "Nia")
      #expect(try await world.phone.notifications(1)[0][5] == contact)
    }

    @Test func `another device deletes a subscription, and a one-time subscription ends itself`()
      async throws
    {
      let world = try await World()
      #expect(
        try await world.phone.control("subscribe", "--id", "a", "--type", "Contact").status == 0)
      #expect(
        try await world.phone.control(
          "subscribe", "--id", "b", "--type", "Contact", "--on", "created", "--once"
        ).status == 0)
      try await world.phone.settles()
      try await world.laptop.subscriptions(are: ["a", "b"])
      #expect(try await world.laptop.control("unsubscribe", "a").status == 0)
      #expect(try await world.laptop.control("unsubscribe", "a").status == 66)
      try await world.laptop.settles()
      try await world.phone.subscriptions(are: ["b"])
      _ = try await world.laptop.requests.add(first: "One")
      _ = try await world.laptop.requests.add(first: "Two")
      try await world.phone.subscriptions(are: [])
      try await world.settle()
      #expect(try await world.phone.notifications(1).map { [$0[2], $0[6]] } == [["b", "One"]])
    }

    @Test(.readsBrokerFile)
    func `a device that was away for long receives the number of collapsed notifications`()
      async throws
    {
      let world = try await World()
      let group = try await world.phone.control("group", "add", "Club")
      #expect(group.status == 0)
      let made = try await world.phone.control(
        "subscribe", "--id", "club", "--type", "Contact", "--on", "created", "--group", "Club",
        "--title", "{firstName}", "--run", "cat > /dev/null")
      #expect(made.status == 0)
      try await world.settle()
      try await world.phone.kill()
      let cards = (1...1100).map {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:I\($0)\r\nN:;I\($0);;;\r\nEND:VCARD\r\n"
      }
      try world.laptop.directory.write(Array(cards.joined().utf8), to: "cards.vcf")
      let file = world.laptop.directory.file("cards.vcf")
      let imported = try await world.laptop.control("import", file, "--group", "Club")
      #expect(imported.status == 0, "\(imported.error)")
      try await world.laptop.settles()
      let database = try DatabaseQueue(
        path: world.broker.directory.file("state/broker.sqlite"),
        configuration: {
          var configuration = Configuration()
          configuration.readonly = true
          return configuration
        }())
      try await Patience.wait(until: "too much to wait for the phone") {
        try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fold") ?? 0 > 0 }
      }
      try await world.phone.restart()
      try await world.settle()
      _ = try await world.laptop.requests.add(json: #"{"firstName": "Last", "group": "Club"}"#)
      let notifications = try await Patience.wait(for: "the last one") {
        let rows = try await world.phone.control("notifications").rows
        return rows.last?[6] == "Last" ? rows : nil
      }
      let collapsed = notifications.filter { $0[3] == "collapsed" }
      #expect(!collapsed.isEmpty)
      let counts = collapsed.compactMap { $0[7].split(separator: " ").first.flatMap { Int($0) } }
      #expect(counts.reduce(0, +) + notifications.count - collapsed.count == 1101)
      let shown = try await world.phone.control("subscriptions", "club", "--json")
      #expect(shown.output.contains(#""run":"cat > /dev/null""#))
    }

    @Test func `despite repeated kills both devices receive each notification once, in order`()
      async throws
    {
      let world = try await World()
      let made = try await world.phone.control(
        "subscribe", "--id", "s", "--type", "Contact", "--on", "created", "--title", "{firstName}")
      #expect(made.status == 0)
      try await world.phone.settles()
      let watch = try RunningProgram(
        "contactsctl",
        ["--agent", world.phone.socketPath, "--plain", "notifications", "--follow", "--since", "0"])
      var ids: [String] = []
      for round in 0..<kills * 2 {
        for number in 0..<5 {
          ids.append(try await world.laptop.requests.add(first: "N\(round)x\(number)"))
        }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...200)))
        if round % 3 == 0 {
          try await world.broker.kill()
          try await world.broker.restart()
        } else {
          try await world.phone.kill()
          try await world.phone.restart()
        }
      }
      try await world.settle()
      let notifications = try await world.phone.notifications(ids.count)
      #expect(notifications.map { $0[5] } == ids)
      #expect(notifications.map { $0[0] } == (1...ids.count).map(String.init))
      try await Patience.wait(until: "the watcher to see all") { watch.lines.count >= ids.count }
      #expect(
        watch.lines.map { String($0.split(separator: "\t")[0]) } == notifications.map { $0[0] })
    }
  }
}

extension Device {
  /// Waits until the device has this number of notifications and returns their lines.
  func notifications(_ count: Int) async throws -> [[String]] {
    try await Patience.wait(for: "\(count) notifications on \(name)") {
      let rows = try await control("notifications").rows
      return rows.count >= count ? rows : nil
    }
  }

  /// Waits until the device has these subscriptions.
  func subscriptions(are ids: [String]) async throws {
    try await Patience.wait(until: "\(ids) on \(name)") {
      try await control("subscriptions").rows.map { $0[0] } == ids
    }
  }
}
