import Processes
import Testing

extension EndToEnd {
  @Suite("Z1, I9, I13 concurrent moves of contacts")
  struct MoveTests {
    /// Creates two disconnected devices with the groups Rowing and Choir.
    private func disconnected() async throws -> World {
      let world = try await World()
      for group in ["Rowing", "Choir"] { try await world.laptop.does("group", "add", group) }
      try await world.settle()
      try await Patience.wait(until: "the groups on the phone") {
        try await world.phone.control("group", "list").output.contains("Choir")
      }
      try await world.broker.kill()
      try await world.isDisconnected()
      return world
    }

    /// Returns the titles of the groups in which a device lists contacts with this last name.
    private func groups(of lastName: String, on device: Device) async throws -> [String] {
      var found: [String] = []
      for group in ["Contacts", "Rowing", "Choir"] {
        let rows = try await device.control("list", "--group", group, "--fields", "name").rows
        found += rows.filter { $0.first?.hasSuffix(lastName) == true }.map { _ in group }
      }
      return found
    }

    private func expect(
      _ lastName: String, in group: String, on world: World,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      try await world.broker.restart()
      try await world.settle()
      for device in [world.laptop, world.phone] {
        #expect(try await device.control("sync", "--wait").status == 0)
        let found = try await groups(of: lastName, on: device)
        #expect(found == [group], "\(device.name)", sourceLocation: sourceLocation)
      }
    }

    @Test func `one of two moves wins, and the edits of both devices remain`() async throws {
      let world = try await disconnected()
      let id = BundledIDs.id(3)
      let contact = try #require(try await world.laptop.requests.contact(id))
      try await world.laptop.does("move", "--to", "Rowing", id)
      try await world.phone.does("move", "--to", "Choir", id)
      try await world.laptop.does("edit", id, "--company", "Laptop Ltd")
      try await world.phone.does("edit", id, "--note", "Phone note")
      try await world.broker.restart()
      let contacts = try await world.settle()
      #expect(contacts.count == 10)
      #expect(contacts.filter { $0.lastName == contact.lastName }.map(\.company) == ["Laptop Ltd"])
      for device in [world.laptop, world.phone] {
        #expect(try await device.control("show", id).output.contains("Phone note"))
      }
    }
  }
}
