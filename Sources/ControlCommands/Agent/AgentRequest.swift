// A request to the agent, as it is sent.

import NIOCore
import NIOHTTP1

/// A request to the agent.
struct AgentRequest: Sendable {
  /// What follows the headers.
  enum Body: Sendable {
    /// Nothing.
    case none
    /// Bytes in memory.
    case bytes(ByteBuffer)
    /// A file that is read while it is sent.
    case file(FileChunks)
  }

  /// The method.
  let method: HTTPMethod
  /// The path and the query, percent-encoded.
  let target: String
  /// The headers, without those that describe the length of the body.
  var headers = HTTPHeaders()
  /// The body.
  var body = Body.none

  /// Creates a request without a body.
  init(_ method: HTTPMethod, _ target: String) {
    (self.method, self.target) = (method, target)
  }

  /// The request line and all headers. A request whose method is meant to have a body states its length, even if
  /// it is empty.
  var head: HTTPRequestHead {
    var headers = headers
    switch body {
    case .none:
      guard [.POST, .PUT, .PATCH].contains(method) else { break }
      headers.add(name: "content-length", value: "0")
    case .bytes(let bytes):
      headers.add(name: "content-length", value: String(bytes.readableBytes))
    case .file:
      headers.add(name: "transfer-encoding", value: "chunked")
    }
    return HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
  }
}
