// Stale socket files are replaced, sockets in use are not, and every other case is an error.

import DaemonKit
import Foundation
import Glibc
import NIOCore
import NIOPosix
import Testing

@Suite("B2, B7 listening sockets", .timeLimit(.minutes(5)))
struct ListeningSocketTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `a created socket is reached through NIO, by its owner only`() async throws {
    let path = directory.file("sub/deep/s.sock")
    let socket = try ListeningSocket.bind(path: path)
    let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .withBoundSocket(socket.descriptor).get()
    let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(unixDomainSocketPath: path).get()
    #expect(try directory.mode(of: "sub/deep/s.sock") == 0o600)
    #expect(try directory.mode(of: "sub/deep") == 0o700)
    try await client.close().get()
    try await listener.close().get()
    socket.removeFile()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `the file has the requested mode`() throws {
    let socket = try ListeningSocket.bind(path: directory.file("s"), mode: 0o660)
    #expect(try directory.mode(of: "s") == 0o660)
    close(socket.descriptor)
  }

  @Test func `a socket in use is not replaced`() throws {
    let path = directory.file("s")
    let owner = try ListeningSocket.bind(path: path)
    let error = try #require(throws: DaemonError.self) { try ListeningSocket.bind(path: path) }
    #expect(error.exit == .cannotCreate)
    #expect(error.message.contains("in use"))
    #expect(FileManager.default.fileExists(atPath: path))
    close(owner.descriptor)
  }

  @Test func `the socket file of a killed process is replaced`() throws {
    let path = directory.file("s")
    close(try ListeningSocket.bind(path: path).descriptor)
    #expect(FileManager.default.fileExists(atPath: path))
    let next = try ListeningSocket.bind(path: path)
    close(next.descriptor)
  }

  @Test func `a file that is no socket is never removed`() throws {
    let path = try directory.write("precious", to: "s")
    let error = try #require(throws: DaemonError.self) { try ListeningSocket.bind(path: path) }
    #expect(error.exit == .cannotCreate)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func `a path that is too long for a socket is refused`() throws {
    let path = directory.file(String(repeating: "x", count: 100))
    let error = try #require(throws: DaemonError.self) { try ListeningSocket.bind(path: path) }
    #expect(error.exit == .configuration)
  }

  @Test func `the error names a directory that cannot be created`() throws {
    let file = try directory.write("", to: "file")
    let error = try #require(throws: DaemonError.self) {
      try ListeningSocket.bind(path: "\(file)/sub/s")
    }
    #expect(error.exit == .cannotCreate)
    #expect(error.message.contains("Not a directory"))
  }

  @Test func `a passed descriptor must be a listening socket`() throws {
    let listening = try ListeningSocket.bind(path: directory.file("s"))
    let passed = try ListeningSocket(passed: listening.descriptor)
    #expect(passed.path == nil)
    passed.removeFile()
    #expect(FileManager.default.fileExists(atPath: directory.file("s")))
    close(listening.descriptor)
    let file = open(try directory.write("", to: "file"), O_RDONLY)
    let error = try #require(throws: DaemonError.self) { try ListeningSocket(passed: file) }
    #expect(error.exit == .configuration)
    close(file)
  }

  @Test func `of several concurrent starts one gets the socket`() async throws {
    let path = directory.file("s")
    close(try ListeningSocket.bind(path: path).descriptor)
    let descriptors = await withTaskGroup(of: Int32?.self) { group in
      for _ in 0..<8 {
        group.addTask { (try? ListeningSocket.bind(path: path))?.descriptor }
      }
      return await group.reduce(into: [Int32]()) { if let made = $1 { $0.append(made) } }
    }
    #expect(descriptors.count == 1)
    for descriptor in descriptors { close(descriptor) }
  }
}
