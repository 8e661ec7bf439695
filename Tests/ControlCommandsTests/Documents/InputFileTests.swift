// Files that commands read: every kind of file is read or refused with a sentence, and none blocks.

import Foundation
import Glibc
import NIOCore
import Processes
import Testing

@testable import ControlCommands

@Suite("files to read")
struct InputFileTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func failure(_ path: String) -> ControlFailure? {
    #expect(throws: ControlFailure.self) { try InputFile.text(at: path) }
  }

  @Test func `a text is read as it is`() throws {
    for text in ["", "a", "first: Ada\n", "李\u{0}\r\n", String(repeating: "x", count: 1 << 20)] {
      try directory.write(Array(text.utf8), to: "file")
      #expect(try InputFile.text(at: directory.file("file")) == text)
    }
  }

  @Test func `a text one byte too long is refused with the limit`() throws {
    try directory.write([UInt8](repeating: 0x61, count: (1 << 20) + 1), to: "file")
    let error = failure(directory.file("file"))
    #expect(error?.exitCode == .content)
    #expect(error?.message.contains("the limit is 1.04 MB") == true)
  }

  @Test(arguments: [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
  func `bytes that are no text are refused`(bytes: [UInt8]) throws {
    try directory.write(bytes, to: "file")
    #expect(failure(directory.file("file"))?.message.contains("UTF-8") == true)
  }

  @Test func `a file that does not exist is not found`() {
    for path in [directory.file("none"), directory.file("none/file"), ""] {
      #expect(failure(path)?.exitCode == .notFound, "\(path)")
    }
  }

  @Test func `a folder, a pipe, a socket and a device are named as what they are`() throws {
    try directory.write([], to: "folder/file")
    #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
    #expect(failure(directory.file("folder"))?.message.contains("folder") == true)
    #expect(failure(directory.file("pipe"))?.message.contains("a pipe") == true)
    for device in ["/dev/null", "/dev/zero"] {
      let error = failure(device)
      #expect(error?.message.contains("a device") == true)
      #expect(error?.exitCode == .content)
    }
  }

  @Test func `a link is what it leads to`() throws {
    try directory.write(Array("there".utf8), to: "file")
    #expect(symlink(directory.file("file"), directory.file("link")) == 0)
    #expect(symlink("/dev/zero", directory.file("device")) == 0)
    #expect(symlink(directory.file("gone"), directory.file("broken")) == 0)
    #expect(try InputFile.text(at: directory.file("link")) == "there")
    #expect(failure(directory.file("device"))?.exitCode == .content)
    #expect(failure(directory.file("broken"))?.exitCode == .notFound)
  }

  @Test func `chunks of a file join to it, and are counted`() async throws {
    for size in [0, 1, 65_535, 65_536, 65_537, 200_000] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try directory.write(bytes, to: "file")
      let chunks = try FileChunks(path: directory.file("file"))
      #expect(chunks.sizeBytes == (size == 0 ? nil : Int64(size)))
      var joined: [UInt8] = []
      for try await chunk in chunks {
        #expect(chunk.readableBytes > 0)
        joined += Array(chunk.readableBytesView)
      }
      #expect(joined == bytes)
      #expect(chunks.readBytes == Int64(size))
    }
  }

  @Test func `a picture is known by its bytes, and what is none is refused`() throws {
    for bytes in [[], [0x61], Array("<svg/>".utf8), [0x89, 0x50, 0x4E, 0x47]] as [[UInt8]] {
      try directory.write(bytes, to: "picture.png")
      let error = #expect(throws: ControlFailure.self) {
        try PhotoFile(path: directory.file("picture.png"))
      }
      #expect(error?.exitCode == .content, "\(bytes)")
      #expect(error?.message.hasPrefix(directory.file("picture.png")) == true)
    }
  }
}
