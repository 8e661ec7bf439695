import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("B2, B3, B5, C8 an edit reaches the other device")
  struct EditTravelTests {
    @Test func `additions, edits and deletions on one device appear in the other's watch`()
      async throws
    {
      let world = try await World()
      let watch = try world.phone.watch()
      let added = try await world.laptop.control(
        "add", "--first", "Ada", "--last", "Lovelace", "--phone", "home=+44 20 7946 0000")
      #expect(added.status == 0)
      let id = try #require(added.rows.first?.first)
      try await expectLine(["created", id, "Ada Lovelace", "laptop"], in: watch)

      #expect(try await world.laptop.control("edit", id, "--last", "Byron").status == 0)
      try await expectLine(["updated", id, "Ada Byron", "laptop"], in: watch)

      #expect(try await world.laptop.control("rm", id).status == 0)
      try await expectLine(["deleted", id, "Ada Byron", "laptop"], in: watch)
      try await world.phone.misses(id)

      let numbers = watch.lines.compactMap { $0.split(separator: "\t").first.flatMap { Int($0) } }
      #expect(numbers == Array(1...numbers.count))
    }

    /// Waits for a line of `watch` with this change, id, name and device. Its columns are: number, change,
    /// type, id, name, account, device.
    private func expectLine(_ wanted: [String], in watch: RunningProgram) async throws {
      let line = try await Patience.wait(for: "\(wanted) in \(watch.standardOutput)") {
        let lines = watch.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        return lines.first { $0.count == 7 && $0[1] == wanted[0] && $0[3] == wanted[1] }
      }
      #expect(line[4] == wanted[2])
      #expect(line[5] == "alice")
      #expect(line[6] == wanted[3])
    }

    @Test func `a group created, renamed and deleted on one device changes on the other`()
      async throws
    {
      let world = try await World()
      let made = try await world.laptop.control("group", "add", "Family")
      let group = try #require(made.rows.first?.first)
      try await expectGroup("Family", on: world.phone)
      let added = try await world.phone.control("add", "--first", "Mum", "--group", "Family")
      let id = try #require(added.rows.first?.first)
      try await world.laptop.shows(id, "Mum") { $0.group == group }

      #expect(try await world.phone.control("group", "rename", "Family", "Kin").status == 0)
      try await expectGroup("Kin", on: world.laptop)
      #expect(try await world.laptop.requests.contact(id)?.group == group)

      let removal = try await world.laptop.control("group", "rm", "Kin", "--with-contacts")
      #expect(removal.status == 0)
      try await Patience.wait(until: "the group to go from the phone") {
        try await world.phone.control("group", "list").output.contains("Kin") == false
      }
      try await world.phone.misses(id)
      #expect(try await world.settle().count == 10)
    }

    @Test func `deleting a group keeps its contacts unless a person asks otherwise`()
      async throws
    {
      let world = try await World()
      _ = try await world.laptop.control("group", "add", "Team")
      let added = try await world.laptop.control(
        "add", "--first", "Kept", "--phone", "home=555 0100", "--group", "Team")
      let id = try #require(added.rows.first?.first)
      try await world.phone.shows(id, "Kept") { $0.firstName == "Kept" }
      let removal = try await world.laptop.control("group", "rm", "Team")
      #expect(removal.status == 0)
      #expect(removal.error.contains("its 1 contact moved to"))
      let contacts = try await world.settle()
      // In another group the contact has another id; where it was moved, the former one still names it.
      let kept = try #require(try await world.laptop.requests.contact(id))
      #expect(contacts.contains { $0.id == kept.id } && kept.id != id)
      #expect(kept.phones.map(\.value) == ["555 0100"])
      #expect(contacts.count == 11)
      let groups = try await world.phone.control("group", "list")
      #expect(groups.rows.count == 1)
      #expect(groups.rows.first?.first == kept.group)
    }

    private func expectGroup(_ title: String, on device: Device) async throws {
      try await Patience.wait(until: "the group \(title) on \(device.name)") {
        try await device.control("group", "list").rows.contains { $0.count > 1 && $0[1] == title }
      }
    }
  }
}
