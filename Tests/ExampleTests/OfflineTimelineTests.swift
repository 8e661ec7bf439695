import BrokerClientTesting
import Foundation
import OfflineClient
import Processes
import Testing

@testable import offline_timeline

@Suite("the offline timeline of two accounts", .timeLimit(.minutes(5)))
struct OfflineTimelineTests {
  private let photo = [UInt8]("a photo of a waterfall".utf8)

  @Test func `posts and comments that are written offline appear on both accounts' devices`()
    async throws
  {
    try await pair { pair in
      let falls = try await OfflineTimeline.post(photo, caption: "Falls", in: pair.laptop)
      _ = try await OfflineTimeline.comment("Loud", on: falls.id, in: pair.laptop)
      try await settle(pair)
      #expect(try lines(pair.phone) == ["Falls", "  Loud"])
      // Both write without a connection, each to what the other has written.
      _ = try await OfflineTimeline.comment("Where is that?", on: falls.id, in: pair.phone)
      _ = try await OfflineTimeline.post(photo, caption: "Frost", in: pair.phone)
      _ = try await OfflineTimeline.post(photo, caption: "Lake", in: pair.laptop)
      #expect(try lines(pair.laptop) == ["Lake", "Falls", "  Loud"])
      #expect(try lines(pair.phone) == ["Frost", "Falls", "  Loud", "  Where is that?"])
      try await settle(pair)
      for device in [pair.laptop, pair.phone] {
        #expect(
          try lines(device) == ["Lake", "Frost", "Falls", "  Loud", "  Where is that?"])
        #expect(try device.rejectedEdits() == [])
      }
    }
  }

  @Test func `a photo arrives with its post and is read offline`() async throws {
    try await pair { pair in
      let falls = try await OfflineTimeline.post(photo, caption: "Falls", in: pair.laptop)
      try await pair.connected {
        try await settled(pair)
        #expect(try await OfflineTimeline.photo(of: falls.id, in: pair.phone) == photo)
      }
      #expect(try await OfflineTimeline.photo(of: falls.id, in: pair.phone) == photo)
      #expect(try lines(pair.phone) == ["Falls"])
    }
  }

  @Test func `deleting a post deletes the comments of both accounts`() async throws {
    try await pair { pair in
      let falls = try await OfflineTimeline.post(photo, caption: "Falls", in: pair.laptop)
      try await settle(pair)
      _ = try await OfflineTimeline.comment("Loud", on: falls.id, in: pair.phone)
      try await settle(pair)
      #expect(try lines(pair.laptop) == ["Falls", "  Loud"])
      try await OfflineTimeline.delete(falls.id, in: pair.laptop)
      try await settle(pair)
      for device in [pair.laptop, pair.phone] {
        #expect(try lines(device) == [])
        #expect(try device.records(matching: Query(recordType: "Comment"), in: .public) == [])
      }
    }
  }

  @Test func `a comment on a post that was deleted meanwhile is rejected, and can be read`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let storage = try LocalBroker.Storage()
    let laptop = try await open(directory.file("laptop.sqlite"), storage.address, "laptop")
    var phone = try await open(directory.file("phone.sqlite"), storage.address, "phone")
    let falls = try await OfflineTimeline.post(photo, caption: "Falls", in: laptop)
    try await LocalBroker.run(on: storage) { _ in
      try await DevicePair.synchronize(laptop)
      try await DevicePair.synchronize(phone)
    }
    try await OfflineTimeline.delete(falls.id, in: laptop)
    // The phone is closed while the broker learns of the deletion.
    try await phone.close()
    try await LocalBroker.run(on: storage) { _ in
      try await DevicePair.synchronize(laptop)
    }
    phone = try await open(directory.file("phone.sqlite"), storage.address, "phone")
    _ = try await OfflineTimeline.comment("Loud", on: falls.id, in: phone)
    let commented = try lines(phone)
    #expect(commented == ["Falls", "  Loud"])
    try await LocalBroker.run(on: storage) { _ in
      try await DevicePair.synchronize(phone)
    }
    #expect(try lines(phone) == [])
    #expect(try phone.rejectedEdits().map { $0.fields["text"]?.string } == ["Loud"])
    try await laptop.close()
    try await phone.close()
  }

  @Test func `another account's post cannot be changed`() async throws {
    try await pair { pair in
      let falls = try await OfflineTimeline.post(photo, caption: "Falls", in: pair.laptop)
      try await settle(pair)
      var copy = try #require(try pair.phone.record(for: falls.id, in: .public))
      copy["caption"] = "Mine"
      // Either the device or the broker rejects it; the post stays.
      do {
        try await pair.phone.save(copy, in: .public)
      } catch let error as RecordsError {
        #expect(error.code == .permissionFailure)
      }
      try await settle(pair)
      for device in [pair.laptop, pair.phone] { #expect(try lines(device) == ["Falls"]) }
    }
  }

  // MARK: Devices

  private func pair(_ body: (DevicePair) async throws -> Void) async throws {
    try await DevicePair.with(open: open, body)
  }

  /// Opens a device of Alice, the laptop, or of Bob.
  private func open(
    _ file: String, _ broker: BrokerAddress, _ device: String
  ) async throws -> OfflineContainer {
    try await OfflineTimeline.open(
      file: file, broker: broker, account: device == "laptop" ? "alice" : "bob", device: device)
  }

  /// Starts the broker, waits until both devices show the same timeline, and stops it.
  private func settle(_ pair: DevicePair) async throws {
    try await pair.connected { try await settled(pair) }
  }

  private func settled(_ pair: DevicePair) async throws {
    let timeline = try OfflineTimeline.describe(pair.laptop)
    #expect(try OfflineTimeline.describe(pair.phone) == timeline)
  }

  /// The timeline without the names of posts.
  private func lines(_ device: OfflineContainer) throws -> [String] {
    try OfflineTimeline.describe(device).map { line in
      guard !line.hasPrefix("  "), let gap = line.firstRange(of: "  ") else { return line }
      return String(line[gap.upperBound...])
    }
  }
}
