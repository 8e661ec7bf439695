// One process per directory, and an error for each reason why it cannot be used.

import DaemonKit
import Glibc
import Testing

@Suite("B6 state directories")
struct StateDirectoryTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `a missing directory is created for its owner only`() throws {
    let state = try StateDirectory(path: directory.file("a/b"))
    #expect(try directory.mode(of: "a/b") == 0o700)
    #expect(state.file("x.db") == directory.file("a/b/x.db"))
  }

  @Test func `a second process is refused with the first one's id, until the first one ends`()
    throws
  {
    let path = directory.file("state")
    do {
      let first = try StateDirectory(path: path)
      let error = try #require(throws: DaemonError.self) { try StateDirectory(path: first.path) }
      #expect(error.exit == .tryLater)
      #expect(error.message.contains("process \(getpid())"))
    }
    _ = try StateDirectory(path: path)
  }

  @Test func `the noted socket is returned only while the process holds the directory`() throws {
    let path = directory.file("state")
    do {
      let holder = try StateDirectory(path: path)
      #expect(StateDirectory.socket(ofHolder: path) == nil)
      holder.noteSocket("/run/broker.sock")
      #expect(StateDirectory.socket(ofHolder: path) == "/run/broker.sock")
    }
    #expect(StateDirectory.socket(ofHolder: path) == nil)
  }

  @Test func `the error names a file in place of the directory`() throws {
    let file = try directory.write("", to: "file")
    for path in [file, "\(file)/state"] {
      let error = try #require(throws: DaemonError.self) { try StateDirectory(path: path) }
      #expect(error.exit == .cannotCreate)
      #expect(error.message.contains(path))
    }
  }

  @Test func `the error names a directory in place of the lock`() throws {
    _ = try StateDirectory(path: directory.file("state/lock"))
    let error = try #require(throws: DaemonError.self) {
      try StateDirectory(path: directory.file("state"))
    }
    #expect(error.exit == .inputOutput)
  }
}
