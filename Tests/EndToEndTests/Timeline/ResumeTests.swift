// The transfer of a post's photo resumes where it stopped, after the end of the connection, the broker or the
// agent.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("T5, I19 a photo's transfer resumes where it stopped")
  struct ResumeTests {
    /// What ends during the transfer.
    enum Interruption: CaseIterable { case connection, broker, agent }

    private static let byteCount = 18_000_000
    /// How many bytes may be sent in addition to the photo: other messages, and chunks of 64 KiB that are in
    /// transit, in sockets and in the relay, when the connection ends.
    private static let slackBytes = 1_500_000

    private func interrupt(
      _ interruption: Interruption, _ device: Device, _ broker: RunningBroker, _ relay: Relay
    ) async throws {
      switch interruption {
      case .connection: await relay.cut()
      case .broker:
        try await broker.kill()
        try await broker.restart()
      case .agent:
        try await device.kill()
        try await device.restart()
      }
    }

    @Test(arguments: Interruption.allCases)
    func `a post's photo is sent once, in chunks over several connections`(
      interruption: Interruption
    ) async throws {
      let broker = try await RunningBroker()
      let directory = try TemporaryDirectory()
      let relay = try Relay(at: directory.file("relay.sock"), to: broker.socketPath)
      try await relay.running {
        let laptop = try await Device("laptop", brokerPath: directory.file("relay.sock"))
        try await laptop.settles()
        let before = await relay.toBroker
        let path = laptop.directory.file("photo.png")
        try TimelineTests.picture(1, byteCount: Self.byteCount).write(to: URL(filePath: path))
        _ = try await laptop.does("post", "add", path, "--caption", "Large")
        for third in 1...2 {
          try await Patience.wait(until: "\(third) thirds to be sent") {
            await relay.toBroker - before > third * Self.byteCount / 3
          }
          try await interrupt(interruption, laptop, broker, relay)
        }
        try await laptop.settles()
        let sent = await relay.toBroker - before
        #expect(sent >= Self.byteCount)
        #expect(sent < Self.byteCount + Self.slackBytes, "\(sent)")
        #expect(try await laptop.control("post", "list").rows.map(\.[3]) == ["synced"])
      }
    }

    @Test(arguments: Interruption.allCases)
    func `a post's photo is fetched once, in chunks over several connections`(
      interruption: Interruption
    ) async throws {
      let broker = try await RunningBroker()
      let directory = try TemporaryDirectory()
      let relay = try Relay(at: directory.file("relay.sock"), to: broker.socketPath)
      let laptop = try await Device("laptop", brokerPath: broker.socketPath)
      let path = laptop.directory.file("photo.png")
      let picture = TimelineTests.picture(1, byteCount: Self.byteCount)
      try picture.write(to: URL(filePath: path))
      let id = try await laptop.does("post", "add", path, "--caption", "Large")
      try await laptop.settles()
      try await relay.running {
        let tablet = try await Device(
          "tablet", account: "bob", brokerPath: directory.file("relay.sock"))
        for third in 1...2 {
          try await Patience.wait(until: "\(third) thirds to be fetched") {
            await relay.toDevice > third * Self.byteCount / 3
          }
          try await interrupt(interruption, tablet, broker, relay)
        }
        try await tablet.settles()
        let folder = tablet.directory.file("album")
        let exported = try await tablet.control("post", "export", id, "-o", folder)
        let photo = try #require(exported.rows.first?.first, "\(exported.error)")
        #expect(try Data(contentsOf: URL(filePath: photo)) == picture)
        let fetched = await relay.toDevice
        #expect(fetched >= Self.byteCount)
        #expect(fetched < Self.byteCount + Self.slackBytes, "\(fetched)")
      }
    }
  }
}
