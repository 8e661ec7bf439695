// A broker's records move to PostgreSQL and back, with the real programs.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("S4 a copied store", .enabled(if: PostgreSQLServer.obstacle == nil))
  struct StoreCopyTests {
    private func copy(from: String, to: String) async throws -> Device.CommandResult {
      try await Device.run("contacts-broker", ["copy", "--from", from, "--to", to])
    }

    @Test func `contacts, photos and shares are there after a copy to PostgreSQL and back`()
      async throws
    {
      let world = try await SharingWorld()
      let photos = PhotoTests()
      let content = PhotoTests.picture(byteCount: 200_000)
      let path = try photos.file(content, in: world.laptop)
      let ann = try await world.laptop.does("add", "--first", "Ann", "--photo", path)
      let id = try #require(ann.split(whereSeparator: \.isWhitespace).first.map(String.init))
      _ = try await world.rowing()
      try await world.share("write")
      for device in world.devices { try await device.settles() }
      try await world.phone.shows(id, "Ann") { _ in true }
      let state = world.broker.directory.file("state")
      let server = try PostgreSQLServer.shared().makeDatabase()
      let used = try await copy(from: state, to: server)
      #expect(used.status == 75 && used.error.contains("is in use"), "\(used.error)")

      try await world.broker.kill()
      let moved = try await copy(from: state, to: server)
      #expect(moved.status == 0, "\(moved.error)")
      #expect(moved.output.contains(/(?m)^record: [1-9]/), "\(moved.output)")
      #expect(
        moved.output.contains(
          "The source is sealed: it was renamed to “\(state)/broker.sqlite.moved”."))
      let refused = try RunningProgram(
        "contacts-broker", RunningBroker.arguments(in: world.broker.directory))
      #expect(try await refused.end() == 65)
      #expect(refused.standardError.contains("broker.sqlite.moved"), "\(refused.standardError)")
      let repeated = try await copy(from: state, to: server)
      #expect(repeated.status == 73 && repeated.error.contains("was copied before"))

      try await world.phone.does("edit", id, "--company", "meanwhile")
      let back = try await copy(from: server, to: state)
      #expect(back.status == 0, "\(back.error)")
      #expect(
        back.output.split(separator: "\n").dropLast()
          == moved.output.split(separator: "\n").dropLast())
      try await world.broker.restart()
      for device in world.devices { try await device.settles() }
      try await photos.shows(content, of: id, on: world.phone)
      try await Patience.wait(until: "the edit that was made meanwhile") {
        try await world.laptop.requests.contact(id)?.company == "meanwhile"
      }
      try await world.tablet.does("edit", world.tablet.id(of: "Cora"), "--company", "by bob")
      try await Patience.wait(until: "Bob's edit") {
        try await world.laptop.requests.contacts().contains { $0.company == "by bob" }
      }
      let fresh = try await Device("fresh", brokerPath: world.broker.socketPath)
      try await photos.shows(content, of: id, on: fresh)
      let check = try await Device.run("contacts-broker", ["check", "--state", state])
      #expect(check.output == "No faults found.\n")
    }

    @Test func `a copy that is killed at any moment goes on, and nothing is lost`() async throws {
      let broker = try await RunningBroker()
      let laptop = try await Device("laptop", brokerPath: broker.socketPath)
      let cards = (0..<1500).map {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Person \($0);;;;\r\nFN:Person \($0)\r\nEND:VCARD\r\n"
      }
      try laptop.directory.write(Array(cards.joined().utf8), to: "cards.vcf")
      try await laptop.does("import", laptop.directory.file("cards.vcf"))
      try await laptop.settles()
      try await broker.kill()
      let state = broker.directory.file("state")
      let server = try PostgreSQLServer.shared().makeDatabase()
      var (from, to) = (state, server)
      var killed = 0
      let limit = ContinuousClock.now + Patience.limit
      for _ in 0..<2 {
        var delay = Duration.milliseconds(5)
        while true {
          let program = try RunningProgram("contacts-broker", ["copy", "--from", from, "--to", to])
          // The time of the kill is random on purpose.
          let end = ContinuousClock.now + delay
          while program.isRunning, .now < end { await Task.yield() }
          guard program.isRunning else {
            let status = try await program.end()
            // The server may still be ending the connection of a command that was killed.
            if program.standardError.contains("is connected"), .now < limit { continue }
            // The last kill may have come after the last step.
            let isDone = status == 0 || program.standardError.contains("was copied before")
            #expect(isDone, "\(program.standardError)")
            break
          }
          try await program.kill()
          killed += 1
          delay += .milliseconds(killed.isMultiple(of: 2) ? 7 : 41)
        }
        (from, to) = (to, from)
      }
      #expect(killed > 2)
      try await broker.restart()
      let fresh = try await Device("fresh", brokerPath: broker.socketPath)
      try await fresh.settles()
      try await Patience.wait(until: "all contacts on the new device") {
        try await fresh.requests.contacts().count == 1510
      }
    }
  }
}
