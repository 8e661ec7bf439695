// What is on the other side of the agent's socket: a test, which sees each request and says what is sent.

import Processes
import Testing

/// A socket on which a test answers in the agent's place.
struct AgentPeer {
  let directory: TemporaryDirectory
  let listener: UnixListener

  init() throws {
    directory = try TemporaryDirectory()
    listener = try UnixListener(path: directory.file("s"))
  }

  var path: String { directory.file("s") }

  /// Waits for the next connection.
  func accepted() async throws -> UnixSocket {
    try await Patience.wait(for: "a connection") { listener.accept() }
  }

  /// Reads from `socket` until what arrived ends with `end`.
  func request(on socket: UnixSocket, until end: String = "\r\n\r\n") async throws -> String {
    var text = ""
    try await Patience.wait(until: "a request that ends with \(end)") {
      text += String(decoding: try #require(socket.receiveSome()), as: UTF8.self)
      return !text.isEmpty && text.hasSuffix(end)
    }
    return text
  }

  /// Sends `text`.
  func send(_ text: String, on socket: UnixSocket) async throws {
    var rest = Array(text.utf8)[...]
    try await Patience.wait(until: "the peer to read") {
      rest = rest.dropFirst(try #require(socket.sendSome(rest)))
      return rest.isEmpty
    }
  }
}
