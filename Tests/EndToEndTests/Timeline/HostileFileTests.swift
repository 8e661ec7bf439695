// Files that are given as photos but are none. Each is refused with its own message and exit status, and
// changes neither the timeline, nor a contact, nor the disk.

import Foundation
import Glibc
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("T2, C4 hostile files")
  struct HostileFileTests {
    /// A path, the expected message and the expected exit status.
    struct Case {
      let path: String
      let status: Int32
      let sentence: String
    }

    private func picture(width: UInt32, height: UInt32) -> Data {
      var picture = TimelineTests.picture(1, byteCount: 100)
      for (place, value) in [(16, width), (20, height)] {
        for byte in 0..<4 {
          picture[place + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(byte)))
        }
      }
      return picture
    }

    /// Returns regular files with invalid contents.
    private func files(in directory: TemporaryDirectory) throws -> [Case] {
      let whole = TimelineTests.picture(1, byteCount: 5000)
      let contents: [(name: String, content: Data, sentence: String)] = [
        ("empty.png", Data(), "The file is empty."),
        ("note.jpg", Data("not a picture".utf8), "not a picture of a kind that is known"),
        ("drawing.png", Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), "not a picture"),
        ("head.png", whole.prefix(20), "is damaged"),
        ("half.png", whole.prefix(3000), "ends too early"),
        ("wide.png", picture(width: 4_000_000_000, height: 1), "pixels"),
        ("bomb.png", picture(width: 19_999, height: 19_999), "pixels"),
        ("none.png", picture(width: 0, height: 0), "is damaged"),
        (
          "large.png", whole + Data(count: 21 << 20),
          "The photo is 22.1 MB; the largest allowed is 20 MB."
        ),
      ]
      return try contents.map { name, content, sentence in
        let path = directory.file(name)
        try content.write(to: URL(filePath: path))
        return Case(path: path, status: 65, sentence: sentence)
      }
    }

    /// Returns paths that are no regular files.
    private func others(in directory: TemporaryDirectory) throws -> [Case] {
      let (pipe, folder) = (directory.file("pipe"), directory.file("folder"))
      let (link, loop) = (directory.file("dangling.png"), directory.file("loop.png"))
      let (toZero, secret) = (directory.file("zero.png"), directory.file("secret.png"))
      #expect(mkfifo(pipe, 0o600) == 0)
      #expect(mkdir(folder, 0o700) == 0)
      #expect(symlink(directory.file("nowhere"), link) == 0)
      #expect(symlink(loop, loop) == 0)
      #expect(symlink("/dev/zero", toZero) == 0)
      #expect(symlink("/etc/passwd", secret) == 0)
      return [
        Case(path: pipe, status: 65, sentence: "is a pipe, not a file"),
        Case(path: folder, status: 65, sentence: "is a folder"),
        Case(path: link, status: 66, sentence: "does not exist"),
        Case(path: loop, status: 66, sentence: "does not exist"),
        Case(path: "/dev/zero", status: 65, sentence: "is a device, not a file"),
        Case(path: "/dev/null", status: 65, sentence: "is a device, not a file"),
        Case(path: toZero, status: 65, sentence: "is a device, not a file"),
        Case(path: secret, status: 65, sentence: "not a picture"),
      ]
    }

    /// Returns the agent's asset files, complete and partial.
    private func kept(_ device: Device) throws -> [String] {
      let assets = URL(filePath: device.directory.file("state/assets"))
      let found = FileManager.default.enumerator(
        at: assets, includingPropertiesForKeys: [.isRegularFileKey])
      return try #require(found).compactMap { $0 as? URL }.filter {
        (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
      }.map { $0.path() }
    }

    @Test func `a file that is no photo is refused with a message, and nothing changes`()
      async throws
    {
      let broker = try await RunningBroker()
      let laptop = try await Device("laptop", brokerPath: broker.socketPath)
      try await laptop.settles()
      let contact = try await laptop.control("show", "bundled-1-01").output
      let cases = try files(in: laptop.directory) + others(in: laptop.directory)
      for one in cases {
        let posted = try await laptop.control("post", "add", one.path, "--caption", "Look")
        #expect(posted.status == one.status, "\(one.path): \(posted.error)")
        #expect(posted.error.contains(one.sentence), "\(one.path): \(posted.error)")
        #expect(posted.output.isEmpty)
        let set = try await laptop.control("edit", "bundled-1-01", "--photo", one.path)
        #expect(set.status == one.status, "\(one.path): \(set.error)")
        #expect(set.error == posted.error, "the sentence is the same for posts and contacts")
      }
      #expect(try await laptop.control("post", "list").output.isEmpty)
      #expect(try await laptop.control("post", "list", "--comments").output.isEmpty)
      #expect(try await laptop.control("show", "bundled-1-01").output == contact)
      #expect(try kept(laptop) == [])
      #expect(try await laptop.requests.status().waitingEdits == 0)
    }

    @Test func `a symbolic link to a picture and a piped picture are accepted`() async throws {
      let broker = try await RunningBroker()
      let laptop = try await Device("laptop", brokerPath: broker.socketPath)
      let path = laptop.directory.file("real.png")
      let link = laptop.directory.file("link.png")
      try TimelineTests.picture(1, byteCount: 5000).write(to: URL(filePath: path))
      #expect(symlink(path, link) == 0)
      #expect(try await laptop.control("post", "add", link, "--caption", "Link").status == 0)
      for place in ["-", "/dev/stdin", "/dev/fd/0"] {
        let piped = try await Device.run(
          "/bin/sh",
          [
            "-c", "cat \"$1\" | \"$2\" --agent \"$3\" post add \"$4\" --caption Piped", "sh", path,
            RunningProgram.path(of: "contactsctl"), laptop.socketPath, place,
          ])
        #expect(piped.status == 0, "\(place): \(piped.error)")
      }
      #expect(try await laptop.control("post", "list").rows.count == 4)
    }
  }
}
