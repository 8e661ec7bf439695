// The promises that a new user tries first, with the real programs as processes. The other tests of processes are in
// `make check`.

import Glibc
import Processes
import Records
import Testing

@Suite("a broker and two devices, as processes", .timeLimit(.minutes(5)))
struct StoryTests {
  @Test
  func `an edit, a restart, a kill and a share reach the other device (B2, B4, B6, Z3, Z4)`()
    async throws
  {
    let world = try await World()
    let id = try await travel(in: world)
    try await restart(world, contact: id)
    try await kill(world, contact: id)
    try await share(in: world)
  }

  /// Adds and edits a contact with contactsctl on the laptop until the phone shows both. Returns its id.
  private func travel(in world: World) async throws -> String {
    let id = try await world.laptop.does(
      "add", "--first", "Ada", "--last", "Lovelace", "--phone", "home=+44 20 7946 0000")
    try await world.phone.shows(id, "Ada") { $0.phones.map(\.value) == ["+44 20 7946 0000"] }
    try await world.laptop.does("edit", id, "--last", "Byron")
    try await world.phone.shows(id, "Ada's new name") { $0.lastName == "Byron" }
    return id
  }

  /// Edits on both devices while the broker is stopped, and expects both edits on both once it runs again.
  private func restart(_ world: World, contact id: String) async throws {
    world.broker.program.send(SIGTERM)
    #expect(try await world.broker.program.end() == 0)
    try await world.isDisconnected()
    try await world.laptop.does("edit", id, "--company", "Analytical Engines")
    try await world.phone.does("edit", id, "--email", "work=ada@example.org")
    try await world.broker.restart()
    for contacts in try await [world.settle(), world.phone.requests.contacts()] {
      let ada = try #require(contacts.first { $0.id == id })
      #expect(ada.company == "Analytical Engines")
      #expect(ada.emails.map(\.value) == ["ada@example.org"])
    }
  }

  /// Kills all three processes after an acknowledged edit, and expects the edit on both devices.
  private func kill(_ world: World, contact id: String) async throws {
    try await world.laptop.does("edit", id, "--title", "Countess")
    world.broker.program.send(SIGKILL)
    try await world.laptop.kill()
    try await world.phone.kill()
    try await world.broker.kill()
    try await world.broker.restart()
    try await world.laptop.restart()
    try await world.phone.restart()
    #expect(try await world.settle().count == 11)
    let shown = try await world.phone.does("--plain", "show", id)
    #expect(shown.contains("Countess"), "\(shown)")
  }

  /// Shares a group by a link with another person, who edits it, and takes it back.
  private func share(in world: World) async throws {
    let tablet = try await Device("tablet", account: "bob", brokerPath: world.broker.socketPath)
    try await tablet.settles()
    try await world.laptop.does("group", "add", "Rowing")
    try await world.laptop.does("add", "--first", "Cora", "--group", "Rowing")
    let link = try await world.laptop.does("share", "Rowing", "--anyone", "write")
    try await tablet.does("accept", link, "--yes")
    let cora = try await tablet.id(of: "Cora")
    try await tablet.does("edit", cora, "--company", "Thames Rowing")
    try await Patience.wait(until: "Bob's edit on Alice's phone") {
      try await world.phone.requests.contacts().contains { $0.company == "Thames Rowing" }
    }
    try await world.laptop.does("share", "stop", "Rowing", "--yes")
    try await tablet.misses(cora)
    #expect(try await tablet.requests.contacts().count == 10)
  }
}
