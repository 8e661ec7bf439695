// Alice and Bob on one timeline: posts, comments, follows and deletions, with real processes.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("T1–T7 the timeline between two accounts")
  struct TimelineTests {
    /// Returns a complete PNG of 300 × 200 that is different for each seed.
    static func picture(_ seed: Int, byteCount: Int = 200_000) -> Data {
      PhotoTests.picture(byteCount: byteCount, seed: seed + 100)
    }

    struct Timeline {
      let broker: RunningBroker
      let laptop: Device
      let tablet: Device

      init() async throws {
        broker = try await RunningBroker()
        laptop = try await Device("laptop", brokerPath: broker.socketPath)
        tablet = try await Device("tablet", account: "bob", brokerPath: broker.socketPath)
        for device in [laptop, tablet] { try await device.settles() }
      }

      func post(_ seed: Int, _ caption: String, on device: Device) async throws -> String {
        let path = device.directory.file("photo-\(seed).png")
        try TimelineTests.picture(seed).write(to: URL(filePath: path))
        return try await device.does("post", "add", path, "--caption", caption)
      }
    }

    private func captions(_ device: Device) async throws -> [String] {
      try await device.control("post", "list").rows.compactMap(\.last)
    }

    private func shows(_ captions: [String], on device: Device) async throws {
      try await Patience.wait(until: "\(captions) on \(device.name)") {
        try await self.captions(device) == captions
      }
    }

    @Test
    func `a post appears for the other account by itself, with its photo, and is commented on`()
      async throws
    {
      let world = try await Timeline()
      let id = try await world.post(1, "By the waterfall", on: world.laptop)
      // Bob did nothing: a subscription that his agent saved at its start delivered the post.
      try await shows(["By the waterfall"], on: world.tablet)
      let result = try await world.tablet.control("comment", id, "Where", "is", "that?")
      #expect(result.status == 0, "\(result.error)")
      try await world.tablet.settles()
      #expect(try await world.laptop.control("sync", "--wait").rows == [["live"]])
      let shown = try await world.laptop.control("post", "show", id)
      #expect(shown.rows.count == 3, "\(shown.output)\(shown.error)")
      #expect(shown.rows.last?.last == "Where is that?")
      #expect(try await world.tablet.control("post", "search", "FALL").rows.count == 1)
      let folder = world.tablet.directory.file("album")
      #expect(
        try await world.tablet.control("config", "set", "album", folder).status == 0)
      let exported = try await world.tablet.control("post", "export", id, "--album")
      #expect(exported.rows.count == 2, "\(exported.error)")
      let photo = try #require(exported.rows.first?.first)
      let caption = try #require(exported.rows.last?.first)
      #expect(try Data(contentsOf: URL(filePath: photo)) == Self.picture(1))
      #expect(
        try String(contentsOf: URL(filePath: caption), encoding: .utf8) == "By the waterfall\n")
    }

    @Test func `authors have their display names, offline too, and hidden ones are someone`()
      async throws
    {
      let world = try await Timeline()
      _ = try await world.tablet.does("permission", "discoverability", "allow")
      _ = try await world.tablet.does("whoami", "--set-name", "Bob Baker")
      let id = try await world.post(1, "Sunrise", on: world.tablet)
      try await shows(["Sunrise"], on: world.laptop)
      _ = try await world.laptop.does("comment", id, "Lovely")
      try await world.laptop.settles()
      #expect(try await world.tablet.control("sync", "--wait").status == 0)
      let shown = try await world.tablet.control("post", "show", id).rows
      #expect(shown.map { $0[2] } == ["Bob Baker", "Bob Baker", "someone"])
      let json = try await world.tablet.does("--json", "post", "show", id)
      let hidden = #/"author":"[0-9a-f]{32}","authorName":"someone"/#
      #expect(json.contains(hidden), "\(json)")
      // The laptop's agent knows the name although nothing listed the post while it was online.
      try await Patience.wait(until: "the laptop to know Bob") {
        try world.laptop.stores("Bob Baker")
      }
      try await world.broker.kill()
      try await world.laptop.kill()
      try await world.laptop.restart()
      #expect(try await world.laptop.control("post", "list").rows.map { $0[2] } == ["Bob Baker"])
    }

    @Test func `a follower is notified of comments, and can query and toggle the state`()
      async throws
    {
      let world = try await Timeline()
      let id = try await world.post(1, "Sunrise", on: world.laptop)
      try await shows(["Sunrise"], on: world.tablet)
      #expect(try await world.laptop.control("follow", id, "--state").rows == [["not following"]])
      #expect(try await world.laptop.control("follow", id).rows == [["following"]])
      #expect(try await world.laptop.control("follow", id, "--toggle").rows == [["not following"]])
      #expect(try await world.laptop.control("follow", id, "--toggle").rows == [["following"]])
      #expect(
        try await world.tablet.control("follow", id, "--author").rows == [["following"]])
      #expect(try await world.laptop.control("follow", id, "--author").status == 65)
      try await world.laptop.settles()
      try await world.tablet.settles()

      _ = try await world.tablet.does("comment", id, "Lovely")
      let notification = try await Patience.wait(for: "a notification on the laptop") {
        try await world.laptop.control("notifications").rows.first {
          $0.contains { $0.contains("Lovely") }
        }
      }
      #expect(notification.contains { $0.contains("New comment on “Sunrise”") }, "\(notification)")
      // The comment arrived without a request.
      let shown = try await world.laptop.control("post", "show", id)
      #expect(shown.rows.last?.last == "Lovely")

      _ = try await world.post(2, "Noon", on: world.laptop)
      _ = try await Patience.wait(for: "news of the author on the tablet") {
        try await world.tablet.control("notifications").rows.first {
          $0.contains { $0.contains("posted a photo") }
        }
      }
      #expect(try await world.laptop.control("unfollow", id).rows == [["not following"]])
    }

    @Test func `after a week without a broker nothing is missing and nothing is doubled`()
      async throws
    {
      let world = try await Timeline()
      let first = try await world.post(1, "First", on: world.laptop)
      try await shows(["First"], on: world.tablet)
      try await world.broker.kill()
      let second = try await world.post(2, "Second", on: world.laptop)
      _ = try await world.laptop.does("comment", second, "CommandResult offline")
      _ = try await world.tablet.does("comment", first, "Meanwhile")
      #expect(
        try await world.laptop.control("post", "list", "--unsynced").rows.map(\.[0]) == [second])
      #expect(
        try await world.laptop.control("post", "list", "--unsynced", "--comments").rows.count == 2)
      try await world.laptop.kill()
      try await world.laptop.restart()
      try await world.broker.restart()
      for device in [world.laptop, world.tablet] {
        let synced = try await device.control("sync", "--wait")
        #expect(synced.status == 0, "\(synced.error)")
      }
      try await shows(["Second", "First"], on: world.tablet)
      #expect(try await world.laptop.control("sync", "--wait").status == 0)
      #expect(try await world.laptop.control("post", "list", "--unsynced").rows.isEmpty)
      #expect(try await world.laptop.control("post", "show", first).rows.count == 3)
      // A new device of Bob's has each post once.
      let phone = try await Device("phone", account: "bob", brokerPath: world.broker.socketPath)
      #expect(try await phone.control("sync", "--wait").status == 0)
      #expect(try await captions(phone) == ["Second", "First"])
      #expect(try await phone.control("post", "list", "--comments").rows.count == 4)
    }

    @Test func `only its author edits a caption or a comment, and other devices see the new text`()
      async throws
    {
      let world = try await Timeline()
      for device in [world.laptop, world.tablet] {
        _ = try await device.does("permission", "discoverability", "allow")
      }
      let id = try await world.post(1, "Sunrize", on: world.laptop)
      try await shows(["Sunrize"], on: world.tablet)
      let comment = try await world.tablet.does("comment", id, "Lovly")
      try await world.tablet.settles()
      #expect(try await world.laptop.control("sync", "--wait").status == 0)
      let refusals = [
        try await world.tablet.control("post", "edit", id, "Mine"),
        try await world.laptop.control("comment", "edit", comment, "Mine"),
      ]
      for (refused, author) in zip(refusals, ["alice", "bob"]) {
        #expect(refused.status == 77 && refused.error.contains(author), "\(refused.error)")
      }
      // Offline, the edits wait like everything else.
      try await world.broker.kill()
      _ = try await world.laptop.control("post", "edit", id, "Sunrise")
      _ = try await world.tablet.control("comment", "edit", comment, "Lovely")
      #expect(
        try await world.laptop.control("post", "list", "--unsynced", "--comments").rows.count == 1)
      try await world.broker.restart()
      try await shows(["Sunrise"], on: world.tablet)
      try await Patience.wait(until: "the new comment on the laptop") {
        try await world.laptop.control("post", "show", id).rows.last?.last == "Lovely"
      }
      #expect(try await world.laptop.control("post", "search", "Sunrize").rows.isEmpty)
    }
  }
}
