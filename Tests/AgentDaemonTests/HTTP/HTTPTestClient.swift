// An HTTP/1.1 client for tests of the agent. It has no TLS, HTTP/2, proxies or redirects, because the agent's
// listeners have none.

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A client of one server on this machine.
struct HTTPTestClient: Sendable {
  private let address: SocketAddress
  private let host: String
  /// How long the server may take to accept a connection, and how long it may then send nothing while the client reads.
  private let silenceMaximum: TimeAmount

  private init(address: SocketAddress, host: String, silenceMaximum: TimeAmount) {
    (self.address, self.host) = (address, host)
    self.silenceMaximum = silenceMaximum
  }

  /// A client of the server at a Unix socket.
  init(socket path: String) throws {
    self.init(
      address: try SocketAddress(unixDomainSocketPath: path), host: "localhost",
      silenceMaximum: .seconds(120))
  }

  /// A client of the server at `origin`, a URL without a path, with an IP address and a port.
  init(origin: String, silenceMaximum: TimeAmount = .seconds(120)) throws {
    guard let url = URL(string: origin), let host = url.host(), let port = url.port else {
      throw HTTPTestFailure.invalidURL(origin)
    }
    self.init(
      address: try SocketAddress(ipAddress: host, port: port), host: "\(host):\(port)",
      silenceMaximum: silenceMaximum)
  }

  /// Sends a request on its own connection, which closes after the response.
  /// - Returns: The response as soon as its head has arrived.
  /// - Throws: `HTTPTestFailure`, or the error of the connection.
  func send(_ request: HTTPTestRequest) async throws -> HTTPTestResponse {
    try await connect().send(request, isLast: true)
  }

  /// Opens a connection for several requests. It stays open until the server closes it.
  func connect() async throws -> HTTPTestConnection {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(silenceMaximum)
      .connect(to: address) { [host, silenceMaximum] channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = HTTPTestHandler(host: host, silenceMaximum: silenceMaximum)
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(handler)
          return HTTPTestConnection(
            channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop))
        }
      }
  }
}
