// The listener of the web page, on a TCP port of this machine. It starts with the first link, or with the agent if the
// service manager has kept the socket of the previous process. It lasts until the agent stops. Browsers cannot use Unix
// sockets, so each connection is closed before a byte is read unless a process of the agent's user has the other end.
//
// A new socket has a new address, drawn at random. Whatever another program left in a browser at a former address, while it
// had the port, never meets the agent again: a token, a cookie, a service worker.

import AgentAPI
import DaemonKit
import DeviceDriver
import DeviceStore
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Records

/// Serves the web page.
actor WebListener {
  /// The maximum number of connections. A browser opens six for each of its profiles.
  static let connectionsMaximum = 64
  /// How long a connection may stay without a request.
  private static let idleTimeout = TimeAmount.seconds(60)
  private static let headerBytesMaximum = 16 << 10
  private static let headersMaximum = 64

  /// The name under which the service manager keeps the socket.
  private static let keptName = "page"

  private struct Environment {
    let responder: APIResponder
    let group: any EventLoopGroup
  }

  private struct Serving {
    let channel: any Channel
    let access: WebAccess
    let task: Task<Void, Never>
  }

  private let sockets: KeptSockets
  /// The socket of the previous process, if it was kept.
  private let kept: LoopbackSocket?
  private let door = WebDoor()
  private var environment: Environment?
  private let listener = SharedStart<Serving>()

  /// - Parameter sockets: The sockets that are kept while the agent restarts.
  init(sockets: KeptSockets = KeptSockets()) {
    self.sockets = sockets
    kept = sockets.take(Self.keptName)
  }

  /// Makes the listener ready to start, and starts it if its socket has never stopped listening.
  func attach(_ responder: APIResponder, group: any EventLoopGroup) async {
    environment = Environment(responder: responder, group: group)
    do {
      if kept != nil { _ = try await serving() }
    } catch {
      responder.logger.error(
        "The web page cannot be served", metadata: ["error": "\(error.logText)"])
    }
  }

  /// Makes a link to the page, and starts the listener if necessary.
  func open() async throws -> WebLinkView {
    let origin = try await serving().access.origin
    return WebLinkView(link: "\(origin)/#\(door.open())", seconds: WebSessions.linkSeconds)
  }

  /// Ends the sessions of all pages, because the account is signed out.
  func endSessions() { door.end() }

  /// Stops the listener. Its streams of events have ended by then.
  func stop() async {
    environment = nil
    guard let serving = await listener.end() else { return }
    try? await serving.channel.close()
    await serving.task.value
  }

  // MARK: Starting

  private func serving() async throws -> Serving {
    guard let environment else {
      throw RecordsError(.serviceUnavailable, "contactsd is stopping.")
    }
    return try await listener.value { [self] in try await start(environment) }
  }

  private func start(_ environment: Environment) async throws -> Serving {
    let responder = environment.responder
    let socket = try kept ?? Self.newSocket()
    await door.begin(at: socket, isKept: kept != nil, storingIn: responder.api.driver)
    let access = WebAccess(address: socket.address, port: socket.port)
    let web = WebResponder(access: access, door: door, api: responder)
    let connections = HTTPConnections(
      connectionsMaximum: Self.connectionsMaximum, configuration: Self.configuration,
      drainTimeout: responder.api.drainTimeout, logger: responder.logger
    ) { await web.response(to: $0, over: $1) }
    let channel = try await Self.listen(socket.descriptor, connections, environment)
    if kept == nil { sockets.keep(socket, as: Self.keptName) }
    channel.closeFuture.whenComplete { _ in connections.finish() }
    responder.logger.info("Serving the web page", metadata: ["address": "\(access.host)"])
    // Nothing cancels the loop that consumes connections (see `APIServer.run`); `stop` waits for it.
    let task = Task { await connections.serve {} }
    return Serving(channel: channel, access: access, task: task)
  }

  /// Makes a socket at an address that was never used before.
  /// - Throws: `DaemonError` if there is no port, or if the kernel does not tell whose connections are.
  private static func newSocket() throws -> LoopbackSocket {
    var generator = SystemRandomNumberGenerator()
    let socket = try LoopbackSocket(address: .random(using: &generator), port: 0)
    guard PeerUser.isKnown(of: socket) else {
      close(socket.descriptor)
      throw PeerUser.unknown
    }
    return socket
  }

  private static var configuration: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      idleTimeout: idleTimeout,
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: headerBytesMaximum, maxHeaderListSize: headerBytesMaximum,
        maxHeaderFieldCount: headersMaximum))
  }

  /// Accepts connections of this user.
  private static func listen(
    _ socket: CInt, _ connections: HTTPConnections, _ environment: Environment
  ) async throws -> any Channel {
    let logger = environment.responder.logger
    return try await ServerBootstrap(group: environment.group)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        OwnUser.check(channel, logger).flatMap { connections.add(channel) }
      }
      .withBoundSocket(socket).get()
  }
}
