// Something bad was done and has spread. The administrator rewinds the broker to a backup, and the devices go back with it.

import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("I27 a broker that is rewound to a backup", .readsBrokerFile)
  struct RewindTests {
    @Test func `the devices go back to the backup, and the later contacts are in the trash`()
      async throws
    {
      let world = try await World()
      let backup = try TemporaryDirectory()
      let state = world.broker.directory.file("state")
      try await world.laptop.does("add", "--first", "Keep", "--note", "v1", "--company", "Acme")
      try await world.laptop.does("add", "--first", "Gone")
      try await world.laptop.does("group", "add", "Choir")
      try await world.settle()
      let before = try await world.settle()
      _ = try await Device.run("contacts-broker", ["backup", backup.path, "--state", state])
      try await world.laptop.does("edit", "Keep", "--note", "bad", "--company", "")
      try await world.laptop.does("rm", "Gone")
      try await world.laptop.does("add", "--first", "Bad")
      try await world.laptop.does("group", "rename", "Choir", "Bad")
      try await world.settle()
      // The phone is away during the restore, and has an edit that the broker never received.
      try await world.broker.kill()
      try await world.phone.does("edit", "Keep", "--last", "Typed")
      try await world.phone.kill()
      try FileManager.default.removeItem(atPath: state)
      let restored = try await Device.run(
        "contacts-broker", ["restore", "--rewind", backup.path, "--state", state])
      #expect(restored.status == 0, "\(restored.error)")
      #expect(restored.output.contains("The devices go back to the backup"), "\(restored.output)")
      try await world.broker.restart()
      try await world.laptop.settles()
      try await world.phone.restart()

      let after = try await world.settle()
      #expect(Set(after.map(\.id)) == Set(before.map(\.id)))
      for device in [world.laptop, world.phone] {
        let kept = try await device.id(of: "Keep")
        let shown = try await device.control("show", kept).output
        for part in ["v1", "Acme", "Typed"] { #expect(shown.contains(part), "\(shown)") }
        let groups = try await device.control("group", "list")
        #expect(groups.output.contains("Choir") && !groups.output.contains("Bad"))
        #expect(try await device.control("trash").output.contains("Bad"))
        #expect(try await device.control("history", kept).output.contains("bad"))
        #expect(try await device.requests.status().conflicts == 0)
      }
      // What was added later can be brought back.
      try await world.laptop.does("trash", "restore", "Bad")
      try await world.settle()
      #expect(try await world.phone.requests.contacts().contains { $0.firstName == "Bad" })
    }

    @Test(arguments: [("rewind", 0, "go back to the backup"), ("perhaps", 64, "is neither")])
    func `on a terminal, restore asks which kind it is`(
      answer: String, status: Int32, sentence: String
    ) async throws {
      let broker = try await RunningBroker()
      let backup = try TemporaryDirectory()
      let state = broker.directory.file("state")
      _ = try await Device.run("contacts-broker", ["backup", backup.path, "--state", state])
      let new = try TemporaryDirectory()
      let terminal = try TerminalSession(
        RunningProgram.path(of: "contacts-broker"),
        ["restore", backup.path, "--state", new.file("state")], directory: new.path)
      try await terminal.shows("continue or rewind?")
      terminal.type("\(answer)\n")
      #expect(try await terminal.end() == status)
      #expect(terminal.shown.contains(sentence), "\(terminal.shown)")
      #expect(new.bytes(of: "state/broker.sqlite").isEmpty == (status != 0))
    }
  }
}
