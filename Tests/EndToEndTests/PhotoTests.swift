import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("C4, I19 photos from device to device")
  struct PhotoTests {
    /// Returns a complete PNG of 300 × 200 with `byteCount` bytes, at least 57, whose data is different
    /// everywhere and for each seed.
    static func picture(byteCount: Int, seed: Int = 1) -> Data {
      let head: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0,
        1, 44, 0, 0, 0, 200, 8, 2, 0, 0, 0, 0, 0, 0, 0,
      ]
      let end: [UInt8] = [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
      // The length, the name and the checksum surround the data.
      let dataCount = byteCount - head.count - end.count - 12
      let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: dataCount >> $0) }
      let data = (0..<dataCount).map {
        UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9 &+ seed)
      }
      return Data(head + length + Array("IDAT".utf8) + data + [0, 0, 0, 0] + end)
    }

    func file(_ content: Data, in device: Device) throws -> String {
      let path = device.directory.file("picture-\(content.count).png")
      try content.write(to: URL(filePath: path))
      return path
    }

    /// Waits until the device's photo of a contact is `content`.
    func shows(_ content: Data, of id: String, on device: Device) async throws {
      let output = device.directory.file("out.png")
      try await Patience.wait(until: "the photo on \(device.name)") {
        let result = try await device.control("photo", id, "-o", output)
        guard result.status == 0 else { return false }
        return try Data(contentsOf: URL(filePath: output)) == content
      }
    }

    @Test func `a photo set on one device arrives on the other unchanged, and its deletion too`()
      async throws
    {
      let world = try await World()
      let content = Self.picture(byteCount: 300_000)
      let path = try file(content, in: world.laptop)
      let added = try await world.laptop.control("add", "--first", "Ann", "--photo", path)
      #expect(added.status == 0, "\(added.error)")
      let id = try #require(added.rows.first?.first)
      try await shows(content, of: id, on: world.phone)
      let shown = try await world.phone.control("show", id)
      #expect(shown.output.contains("image/png"))
      #expect(try await world.phone.control("edit", id, "--no-photo").status == 0)
      try await world.settle()
      #expect(try await world.laptop.control("photo", id, "-o", path).status == 66)
    }

    @Test func `kill -9 of broker and agents during a transfer loses no photo`() async throws {
      let world = try await World()
      var contents: [String: Data] = [:]
      for round in 0..<min(6, max(3, kills / 3)) {
        let id = "bundled-1-0\(round + 1)"
        let content = Self.picture(byteCount: 12_000_000, seed: round)
        let path = try file(content, in: world.laptop)
        let result = try await world.laptop.control("edit", id, "--photo", path)
        #expect(result.status == 0, "\(result.error)")
        contents[id] = content
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...300)))
        switch round % 3 {
        case 0:
          try await world.broker.kill()
          try await world.broker.restart()
        case 1:
          try await world.laptop.kill()
          try await world.laptop.restart()
        default:
          // The download of a photo this large starts when a person opens it.
          let looking = try RunningProgram(
            "contactsctl",
            ["--agent", world.phone.socketPath, "photo", id, "-o", "/dev/null"])
          try await Task.sleep(for: .milliseconds(200))
          try await world.phone.kill()
          _ = try await looking.end()
          try await world.phone.restart()
        }
      }
      try await world.settle()
      for (id, content) in contents {
        try await shows(content, of: id, on: world.phone)
        try await shows(content, of: id, on: world.laptop)
      }
    }
  }
}
