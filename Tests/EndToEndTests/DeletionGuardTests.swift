// A program empties a group over HTTP, without saying that a person confirmed it.

import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("C7, B3, Z1 deletion of a whole group by a program")
  struct DeletionGuardTests {
    @Test
    func `half of the single deletions are held; refusing restores all, accepting deletes all`()
      async throws
    {
      let world = try await World()
      for index in 0..<90 {
        _ = try await world.laptop.requests.add(first: "Person \(index)", company: "C\(index)")
      }
      let before = try await world.settle()
      #expect(before.count == 100)
      try await delete(before, from: world.laptop)
      try await expect(50, on: world.phone)
      #expect(try await world.laptop.requests.status().state == "held")
      let sync = try await world.laptop.control("sync", "--wait=600")
      #expect(sync.status == 75 && sync.output.isEmpty, "\(sync.output)")
      #expect(sync.error.contains("50 unconfirmed deletions are on hold"), "\(sync.error)")

      // The agent knows what it sent after a restart.
      try await world.laptop.kill()
      try await world.laptop.restart()
      #expect(try await world.laptop.control("sync", "--refuse-deletions").status == 0)
      let after = try await world.settle()
      #expect(Set(after) == Set(before))

      try await delete(before, from: world.laptop)
      try await expect(50, on: world.phone)
      #expect(try await world.laptop.control("sync", "--accept-deletions").status == 0)
      try await expect(0, on: world.phone)
      #expect(try await world.settle().isEmpty)
    }

    @Test func `the deletion of a whole group is held unless a person confirmed it`() async throws {
      let world = try await World()
      let made = try await world.laptop.control("group", "add", "Team")
      let group = try #require(made.rows.first?.first)
      for index in 0..<30 {
        _ = try await world.laptop.requests.add(
          json: #"{"firstName":"Member \#(index)","group":"\#(group)"}"#)
      }
      #expect(try await world.settle().count == 40)
      #expect(
        try await world.laptop.requests.send("DELETE", "groups/\(group)?contacts=delete").status
          == 204)
      #expect(try await !shows("Team", on: world.laptop))
      #expect(try await world.laptop.requests.contacts().count == 10)
      let marker = try await world.laptop.requests.add(first: "Marker")
      try await world.phone.shows(marker, "the marker") { _ in true }
      #expect(try await shows("Team", on: world.phone))
      #expect(try await world.phone.requests.contacts().count == 41)
      #expect(try await world.laptop.control("sync", "--refuse-deletions").status == 0)
      #expect(try await world.settle().filter { $0.group == group }.count == 30)
      #expect(try await shows("Team", on: world.laptop))

      let removal = try await world.laptop.control("group", "rm", "Team", "--with-contacts")
      #expect(removal.status == 0)
      #expect(try await world.settle().count == 11)
    }

    private func delete(_ contacts: [ContactRow], from device: Device) async throws {
      for contact in contacts {
        #expect(try await device.requests.send("DELETE", "contacts/\(contact.id)").status == 204)
      }
      #expect(try await device.requests.contacts().isEmpty)
    }

    /// Waits until a device shows this number of contacts, and checks that it still does a moment later.
    private func expect(_ count: Int, on device: Device) async throws {
      try await Patience.wait(until: "\(count) contacts on \(device.name)") {
        try await device.requests.contacts().count <= count
      }
      try await Task.sleep(for: .milliseconds(300))
      #expect(try await device.requests.contacts().count == count)
    }

    private func shows(_ title: String, on device: Device) async throws -> Bool {
      try await device.control("group", "list").rows.contains { $0.count > 1 && $0[1] == title }
    }
  }
}
