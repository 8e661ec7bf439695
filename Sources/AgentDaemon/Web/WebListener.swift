// The listener of the web page, on a TCP port of this machine. It starts with the first link, or with the agent if the
// setting “web” is on or the service manager has kept the socket of the previous process. It lasts until the agent stops.
// Browsers cannot use Unix sockets, so each connection is closed
// before a byte is read unless a process of the agent's user has the other end.

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

  /// A new port would be another site for the browser.
  private static let port = DevicePort(key: "web-port")

  private struct Environment {
    let responder: APIResponder
    let group: any EventLoopGroup
  }

  private struct Serving {
    let channel: any Channel
    let access: WebAccess
    let task: Task<Void, Never>
  }

  /// The socket of the previous process, until the listener starts.
  private let stored: LoopbackSocket?
  /// Stores a new socket for the next process.
  private let store: @Sendable (CInt) -> Void
  private let door = WebDoor()
  private var environment: Environment?
  private let listener = SharedStart<Serving>()

  /// - Parameters:
  ///   - stored: the socket that the service manager has kept since the previous process.
  ///   - store: stores a socket with the service manager.
  init(stored: LoopbackSocket? = nil, store: @escaping @Sendable (CInt) -> Void = { _ in }) {
    self.stored = stored
    self.store = store
  }

  /// Makes the listener ready to start, and starts it if the setting says so or its socket has never stopped listening.
  func attach(_ responder: APIResponder, group: any EventLoopGroup) async {
    environment = Environment(responder: responder, group: group)
    guard stored != nil || (try? responder.api.preferences.value(.web)) == "on" else {
      return await door.forget(in: responder.api.driver)
    }
    door.resume(from: responder.api.driver)
    do {
      _ = try await serving()
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
    let socket = try await socket(of: responder.api)
    let access = WebAccess(port: Int(socket.port))
    let web = WebResponder(access: access, door: door, api: responder)
    let connections = HTTPConnections(
      connectionsMaximum: Self.connectionsMaximum, configuration: Self.configuration,
      logger: responder.logger
    ) { await web.response(to: $0, over: $1) }
    let channel = try await Self.listen(socket.descriptor, connections, environment)
    if stored == nil { store(socket.descriptor) }
    channel.closeFuture.whenComplete { _ in connections.finish() }
    responder.logger.info("Serving the web page", metadata: ["port": "\(access.port)"])
    // Nothing cancels the loop that consumes connections (see `APIServer.run`); `stop` waits for it.
    let task = Task { await connections.serve {} }
    return Serving(channel: channel, access: access, task: task)
  }

  /// The socket of the previous process, or one at the device's port.
  private func socket(of api: AgentRoutes) async throws -> LoopbackSocket {
    guard let stored else { return try await Self.port.socket(of: api) }
    try await Self.port.keep(stored.port, for: api)
    return stored
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
        let user = PeerUser.id(of: channel)
        // Not even root: it has the Unix socket, and a socket that has no user any more looks like one of root.
        // The overflow uid stands for all users without a mapping, so it identifies no owner.
        guard user == getuid(), user != PeerCredentials.overflowUserID else {
          return channel.eventLoop.makeFailedFuture(APIServer.refusal(ofUser: user, logger))
        }
        return connections.add(channel)
      }
      .withBoundSocket(socket).get()
  }
}
