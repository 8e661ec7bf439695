import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("undo, trash, history and duplicates with real processes")
  struct UndoHistoryTests {
    @Test func `rm says how to undo, and undo works after the agent was killed`() async throws {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Ada", company: "Engines")
      let other = try await world.laptop.requests.add(first: "Bo")
      try await world.phone.shows(other, "Bo") { $0.firstName == "Bo" }
      let removed = try await world.laptop.control("rm", id, other)
      #expect(removed.status == 0)
      let sentence = "Deleted 2 contacts (“Ada”, “Bo”). Undo: contactsctl undo "
      #expect(removed.error.hasPrefix(sentence))
      let number = String(removed.error.dropFirst(sentence.count).prefix { $0.isNumber })
      try await world.phone.misses(id)
      try await world.laptop.kill()
      try await world.laptop.restart()
      let undone = try await world.laptop.control("undo", number)
      #expect(undone.status == 0)
      #expect(Set(undone.rows.map { $0[0] }) == [id, other])
      try await world.phone.shows(id, "Ada again") { $0.company == "Engines" }
      try await world.phone.shows(other, "Bo again") { $0.firstName == "Bo" }
      #expect(try await world.laptop.control("undo", number).status == 65)
    }

    @Test func `a renamed device has its new name on the other device and after a restart`()
      async throws
    {
      let world = try await World()
      let result = try await world.laptop.control("whoami", "--set-device", "Kitchen table")
      #expect(result.rows.last?.dropFirst().first == "Kitchen table", "\(result.error)")
      try await Patience.wait(until: "the phone to hear of it") {
        try await world.phone.control("devices").output.contains("Kitchen table")
      }
      try await world.laptop.kill()
      try await world.laptop.restart()
      try await world.laptop.settles()
      #expect(try await world.laptop.control("whoami").output.contains("Kitchen table"))
      #expect(try await world.phone.control("devices").output.contains("Kitchen table"))
      let back = try await world.laptop.control("whoami", "--set-device", "")
      #expect(back.rows.last?.dropFirst().first == "laptop")
    }

    @Test func `undo restores its own change and names what another device changed since`()
      async throws
    {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Ada", company: "Old")
      try await world.laptop.requests.setCompany(of: id, to: "New")
      try await world.phone.shows(id, "the edit") { $0.company == "New" }
      try await world.phone.requests.setCompany(of: id, to: "Of the phone")
      try await world.laptop.shows(id, "the phone's edit") { $0.company == "Of the phone" }
      let undone = try await world.laptop.control("undo")
      #expect(undone.status == 1)
      #expect(undone.error.contains("Not undone: company of Ada (\(id)): it has changed since."))
      try await world.laptop.shows(id, "the phone's edit") { $0.company == "Of the phone" }
    }

    @Test func `every device has the trash and the history, including a later one`() async throws {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Ada", company: "One")
      try await world.phone.shows(id, "Ada") { $0.company == "One" }
      try await world.phone.requests.setCompany(of: id, to: "Two")
      try await world.laptop.shows(id, "Two") { $0.company == "Two" }
      #expect(try await world.laptop.control("rm", id).status == 0)
      try await world.phone.misses(id)

      let tablet = try await Device("tablet", brokerPath: world.broker.socketPath)
      try await tablet.settles()
      let trash = try await tablet.control("trash", "list")
      #expect(trash.rows.map { [$0[0], $0[1], $0[3], $0[4]] } == [[id, "Ada", "alice", "laptop"]])
      let history = try await tablet.control("history", id)
      #expect(
        history.rows.map { [$0[1], $0[3]] + $0.dropFirst(4) } == [
          ["deleted", "laptop"], ["updated", "phone", "company", "One", "Two"],
          ["created", "laptop", "company", "", "One"],
          ["created", "laptop", "firstName", "", "Ada"],
        ])

      #expect(try await tablet.control("trash", "restore", id).status == 0)
      try await world.laptop.shows(id, "Ada back") { $0.company == "Two" }
      #expect(try await world.laptop.control("trash", "list").rows.isEmpty)
      #expect(try await world.laptop.control("trash", "restore", id).status == 66)

      #expect(try await world.laptop.control("rm", id).status == 0)
      try await tablet.misses(id)
      #expect(try await tablet.control("trash", "empty", "--yes").status == 0)
      try await Patience.wait(until: "the trash to be empty everywhere") {
        for device in [world.laptop, world.phone, tablet] {
          guard try await device.control("trash", "list").rows.isEmpty else { return false }
        }
        return true
      }
      #expect(try await world.phone.control("history", id).status == 66)
    }

    @Test func `without a broker the agent answers from its own copy and says so`() async throws {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Ada")
      try await world.laptop.settles()
      try await world.broker.kill()
      try await world.isDisconnected()
      #expect(try await world.laptop.control("rm", id).status == 0)
      let history = try await world.laptop.control("history", id)
      #expect(history.status == 0)
      #expect(history.rows.map { $0[1] } == ["deleted, not sent yet", "created"])
      #expect(history.error.contains("The broker did not answer"))
      #expect(try await world.laptop.control("trash", "list").rows.map { $0[0] } == [id])
      #expect(try await world.laptop.control("trash", "restore", id).status == 0)
      try await world.broker.restart()
      try await world.settle()
      try await world.phone.shows(id, "Ada") { $0.firstName == "Ada" }
    }

    @Test func `devices have names, and show names the device that changed a contact`() async throws
    {
      let world = try await World()
      let id = try await world.laptop.requests.add(first: "Ada")
      try await world.phone.shows(id, "Ada") { $0.firstName == "Ada" }
      for device in [world.laptop, world.phone] {
        let rows = try await device.control("devices").rows
        #expect(Set(rows.map { $0[1] }) == ["laptop", "phone"])
        #expect(rows.filter { $0[3] == "this device" }.map { $0[1] } == [device.name])
      }
      let shown = try await world.phone.control("show", id)
      #expect(shown.output.contains("laptop"))
    }

    @Test func `dedupe proposes duplicates with reasons, and merges them in one step`() async throws
    {
      let world = try await World()
      let requests = world.laptop.requests
      let one = try await requests.add(
        json: #"{"firstName":"Ada","lastName":"Love","emails":[{"value":"ada@example.com"}]}"#)
      let two = try await requests.add(
        json: """
          {"firstName":"Ada","company":"Engines","emails":[{"value":"ADA@example.com"}],
           "phones":[{"label":"home","value":"555 010 0199"}]}
          """)
      _ = try await requests.add(json: #"{"firstName":"Ada","lastName":"Love","note":"namesake"}"#)
      let proposed = try await world.laptop.control("dedupe")
      #expect(proposed.rows.map { Array($0.prefix(2)) } == [[one, two]])
      #expect(proposed.rows.first?.last == "same email ada@example.com")
      let merged = try await world.laptop.control("merge", one, two)
      #expect(merged.status == 0 && merged.rows == [[one]])
      try await world.phone.misses(two)
      try await world.phone.shows(one, "both") {
        $0.company == "Engines" && $0.phones.count == 1 && $0.emails.count == 1
      }
      #expect(try await world.laptop.control("dedupe").rows.isEmpty)
      #expect(try await world.laptop.control("undo").status == 0)
      try await world.phone.shows(two, "the second again") { $0.phones.count == 1 }
      try await world.phone.shows(one, "the first alone") { $0.company.isEmpty }
    }
  }

  @Suite("A1 kill -9 in the first run")
  struct FirstRunKillTests {
    @Test func `two agents that are killed during their first start have ten contacts in the end`()
      async throws
    {
      let broker = try await RunningBroker()
      for round in 0..<kills {
        let account = "round\(round)"
        let devices = try ["laptop", "phone"].map { name in
          let directory = try TemporaryDirectory()
          return (
            directory: directory,
            arguments: Device.arguments(name, account, directory, broker.socketPath)
          )
        }
        for _ in 0..<2 {
          let torn = try devices.map { try RunningProgram("contactsd", $0.arguments) }
          for program in torn {
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...80)))
            try await program.kill()
          }
        }
        let last = try devices.map { try RunningProgram("contactsd", $0.arguments) }
        for device in devices {
          let requests = AgentRequests(socketPath: device.directory.file("a.sock"))
          try await Patience.wait(until: "ten contacts") {
            let status = try? await requests.status()
            guard status?.state == "live", status?.waitingEdits == 0 else { return false }
            return try await requests.contacts().count == 10
          }
        }
        for program in last { try await program.kill() }
      }
    }
  }
}
