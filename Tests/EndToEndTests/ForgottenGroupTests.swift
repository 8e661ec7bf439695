import Foundation
import GRDB
import Processes
import Testing

extension EndToEnd {
  @Suite("I3, I20 groups that were deleted long ago", .readsBrokerFile)
  struct ForgottenGroupTests {
    @Test
    func `a device that was away past the horizon loses the deleted group, and only that`()
      async throws
    {
      let world = try await World()
      _ = try await world.laptop.control("group", "add", "Choir")
      let added = try await world.laptop.control("add", "--first", "Singer", "--group", "Choir")
      let singer = try #require(added.rows.first?.first)
      try await world.phone.shows(singer, "Singer") { $0.firstName == "Singer" }
      try await world.settle()
      try await world.phone.kill()
      _ = try await world.laptop.control("group", "rm", "Choir", "--with-contacts")
      try await world.laptop.settles()

      try await world.broker.kill()
      try forgetDeletedZones(world.broker.directory.file("state/broker.sqlite"))
      try await world.broker.restart()
      try await world.phone.restart()
      let contacts = try await world.settle()
      #expect(contacts.count == 10)
      for device in [world.laptop, world.phone] {
        let groups = try await device.control("group", "list")
        #expect(groups.rows.count { $0.count > 1 && $0[1] == "Choir" } == 0)
        let status = try await device.requests.status()
        #expect(status.waitingEdits == 0 && status.conflicts == 0)
      }
      let check = try await Device.run(
        "contacts-broker", ["check", "--state", world.broker.directory.file("state")])
      #expect(check.output == "No faults found.\n")
    }

    /// Deletes what the broker deletes 90 days after a group.
    private func forgetDeletedZones(_ path: String) throws {
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in
        try db.execute(sql: "DELETE FROM directory WHERE gone_at IS NOT NULL")
        #expect(db.changesCount == 1)
        try db.execute(sql: "UPDATE directory_head SET zones_from = revision")
      }
      try queue.close()
    }
  }
}
