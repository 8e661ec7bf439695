import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("I23, I27 rights after a restore", .readsBrokerFile)
  struct RestoredRightsTests {
    @Test(arguments: ["--continue", "--rewind"])
    func `a participant who was removed after the backup is removed again`(kind: String)
      async throws
    {
      let world = try await World()
      let guest = try await Device("guest", account: "bob", brokerPath: world.broker.socketPath)
      let backup = try TemporaryDirectory()
      let state = world.broker.directory.file("state")
      try await world.laptop.does("group", "add", "Choir")
      try await world.laptop.does("add", "--first", "Cora", "--group", "Choir")
      try await world.laptop.settles()
      let link = try await world.laptop.does("share", "Choir", "--anyone", "write")
      try await guest.does("accept", link, "--yes")
      try await guest.has("Choir")
      _ = try await Device.run("contacts-broker", ["backup", backup.path, "--state", state])
      try await world.laptop.does("participants", "Choir", "remove", "bob")
      try await guest.has("Choir", false)
      try await world.settle()

      try await world.broker.kill()
      try FileManager.default.removeItem(atPath: state)
      let restored = try await Device.run(
        "contacts-broker", ["restore", kind, backup.path, "--state", state])
      #expect(restored.status == 0, "\(restored.error)")
      // The guest connects first, and is a participant again until a device of the owner connects.
      try await world.laptop.kill()
      try await world.phone.kill()
      try await world.broker.restart()
      try await guest.has("Choir")
      try await world.laptop.restart()
      try await guest.has("Choir", false)
    }
  }
}
