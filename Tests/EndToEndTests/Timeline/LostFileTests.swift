// Files that the broker's disk has lost: deleted, or with a flipped bit. No device shows a wrong picture, the
// broker names the loss, and a device that has the file sends it again.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("B6, I19 files that the broker has lost", .readsBrokerFile)
  struct LostFileTests {
    /// What happens to a file.
    enum Loss: CaseIterable { case removed, flipped }

    /// Returns the path of the broker's file of this length.
    private func path(byteCount: Int, at broker: RunningBroker) throws -> String {
      let assets = URL(filePath: broker.directory.file("state/assets"))
      let files = FileManager.default.enumerator(
        at: assets, includingPropertiesForKeys: [.fileSizeKey])
      for case let file as URL in try #require(files)
      where try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == byteCount {
        return file.path()
      }
      throw RecordsError(.assetNotAvailable, "The broker has no file of \(byteCount) bytes.")
    }

    private func lose(_ path: String, _ loss: Loss) throws {
      switch loss {
      case .removed: try FileManager.default.removeItem(atPath: path)
      case .flipped:
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 4
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.write(contentsOf: bytes)
        try file.close()
      }
    }

    private func check(_ broker: RunningBroker) async throws -> Device.CommandResult {
      try await Device.run(
        "contacts-broker", ["check", "--state", broker.directory.file("state")])
    }

    @Test(arguments: Loss.allCases)
    func `a contact's photo is restored from a device, and a new device then gets it`(
      loss: Loss
    ) async throws {
      let world = try await World()
      let content = PhotoTests.picture(byteCount: 300_001)
      let photo = world.laptop.directory.file("photo.png")
      try content.write(to: URL(filePath: photo))
      let added = try await world.laptop.control("add", "--first", "Ann", "--photo", photo)
      let id = try #require(added.rows.first?.first, "\(added.error)")
      try await PhotoTests().shows(content, of: id, on: world.phone)
      // No device that has the photo runs when it is lost and when the broker restarts.
      try await world.laptop.kill()
      try await world.phone.kill()
      try await world.broker.kill()
      let path = try path(byteCount: content.count, at: world.broker)
      try lose(path, loss)
      try await world.broker.restart()
      try await Patience.wait(until: "the broker to notice") {
        world.broker.program.standardError.contains("a file is missing or damaged")
      }
      #expect(world.broker.program.standardError.contains(path))
      let damaged = try await check(world.broker)
      #expect(damaged.status == 65)
      #expect(damaged.output.contains(path), "\(damaged.output)")

      let tablet = try await Device("tablet", brokerPath: world.broker.socketPath)
      try await tablet.settles()
      let early = try await tablet.control("photo", id, "-o", tablet.directory.file("early.png"))
      #expect(early.status != 0)
      #expect(early.error.contains("lost the file"), "\(early.error)")

      let doctor = try await tablet.control("doctor")
      #expect(doctor.output.contains("The broker has lost the file"), "\(doctor.output)")

      try await world.phone.restart()
      try await PhotoTests().shows(content, of: id, on: tablet)
      #expect(try Data(contentsOf: URL(filePath: path)) == content)
      #expect(try await check(world.broker).output == "No faults found.\n")
      try await Patience.wait(until: "a line in the phone's log") {
        world.phone.agent.standardError.contains("The broker had lost the file")
      }
    }

    @Test(arguments: Loss.allCases)
    func `a post's photo is restored by its author's connected device`(
      loss: Loss
    ) async throws {
      let world = try await TimelineTests.Timeline()
      let id = try await world.post(1, "By the waterfall", on: world.laptop)
      try await world.laptop.settles()
      let content = TimelineTests.picture(1)
      try lose(try path(byteCount: content.count, at: world.broker), loss)
      // A new device of Bob's requests the photo; the broker discovers the loss, and the author's laptop
      // sends it.
      let phone = try await Device(
        "phone", account: "bob", brokerPath: world.broker.socketPath)
      let folder = phone.directory.file("album")
      try await Patience.wait(until: "the photo on the phone") {
        let result = try await phone.control("post", "export", id, "-o", folder)
        guard result.status == 0, let photo = result.rows.first?.first else { return false }
        return try Data(contentsOf: URL(filePath: photo)) == content
      }
      #expect(world.broker.program.standardError.contains("a file is missing or damaged"))
      #expect(try await check(world.broker).output == "No faults found.\n")
    }
  }
}
