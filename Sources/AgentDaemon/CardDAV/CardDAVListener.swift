// The listener of the CardDAV clients. It starts with the first app password, or with the agent if there is one. A client
// stores the address, so the port is drawn once and kept.

import AgentAPI
import CardDAVStore
import DaemonKit
import DeviceDriver
import DeviceStore
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Records

/// Serves CardDAV.
actor CardDAVListener {
  /// The maximum number of connections. A program opens several.
  static let connectionsMaximum = 256
  /// The port that is tried first.
  static let standardPort: UInt16 = 7435
  /// How long a connection may stay without a request.
  private static let idleTimeout = TimeAmount.seconds(300)
  private static let headerBytesMaximum = 32 << 10
  private static let headersMaximum = 100
  /// The key under which the device stores the port.
  private static let portKey = "dav-port"

  private struct Environment {
    let api: AgentRoutes
    let group: any EventLoopGroup
    let logger: Logger
  }

  private struct Serving {
    let channels: [any Channel]
    let addresses: [String]
    let task: Task<Void, Never>
  }

  private var environment: Environment?
  private var starting: Task<Serving, any Error>?

  /// Makes the listener ready to start, and starts it if a program has a password.
  func attach(_ api: AgentRoutes, group: any EventLoopGroup, logger: Logger) async {
    environment = Environment(api: api, group: group, logger: logger)
    do {
      guard try api.reader.read({ try !AppPasswordTable($0).all().isEmpty }) else { return }
      _ = try await serving()
    } catch {
      logger.error("CardDAV cannot be served", metadata: ["error": "\(error.logText)"])
    }
  }

  /// Starts the listener if necessary.
  /// - Returns: the addresses that people type into their programs.
  func start() async throws -> [String] { try await serving().addresses }

  /// Stops the listener.
  func stop() async {
    environment = nil
    let starting = starting
    self.starting = nil
    guard let serving = try? await starting?.value else { return }
    for channel in serving.channels { try? await channel.close() }
    await serving.task.value
  }

  // MARK: Starting

  private func serving() async throws -> Serving {
    if let starting { return try await starting.value }
    guard let environment else {
      throw RecordsError(.serviceUnavailable, "contactsd is stopping.")
    }
    // A task, so that a second caller waits for the same listener; `stop` ends it.
    let task = Task { try await start(environment) }
    starting = task
    do {
      return try await task.value
    } catch {
      starting = nil
      throw error
    }
  }

  private func start(_ environment: Environment) async throws -> Serving {
    let responder = CardDAVResponder(environment.api, logger: environment.logger)
    let connections = HTTPConnections(
      connectionsMaximum: Self.connectionsMaximum, configuration: Self.configuration,
      logger: environment.logger
    ) { request, _ in await responder.response(to: request) }
    let socket = try await Self.listeningSocket(near: environment.api)
    let channel = try await Self.listen(socket.descriptor, connections, environment)
    channel.closeFuture.whenComplete { _ in connections.finish() }
    environment.logger.info("Serving CardDAV", metadata: ["port": "\(socket.port)"])
    // Nothing cancels the loop that consumes connections (see `APIServer.run`); `stop` waits for it.
    let task = Task { await connections.serve {} }
    return Serving(
      channels: [channel], addresses: ["http://127.0.0.1:\(socket.port)/"], task: task)
  }

  private static var configuration: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [ContinueHandler()], idleTimeout: idleTimeout,
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: headerBytesMaximum, maxHeaderListSize: headerBytesMaximum,
        maxHeaderFieldCount: headersMaximum))
  }

  /// Accepts connections of this user.
  private static func listen(
    _ socket: CInt, _ connections: HTTPConnections, _ environment: Environment
  ) async throws -> any Channel {
    let logger = environment.logger
    return try await ServerBootstrap(group: environment.group)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        let user = PeerUser.id(of: channel)
        guard user == getuid(), user != PeerCredentials.overflowUserID else {
          return channel.eventLoop.makeFailedFuture(APIServer.refusal(ofUser: user, logger))
        }
        return connections.add(channel)
      }
      .withBoundSocket(socket).get()
  }

  /// Returns a socket at the device's port. If another program has taken the port, the device gets a new one.
  private static func listeningSocket(near api: AgentRoutes) async throws -> LoopbackSocket {
    let stored = try api.reader.setting(portKey).flatMap { UInt16($0) }
    for port in [stored, standardPort].compactMap(\.self) {
      guard let socket = try? LoopbackSocket(port: port) else { continue }
      return try await keep(socket, port == stored, api)
    }
    return try await keep(LoopbackSocket(port: 0), false, api)
  }

  private static func keep(
    _ socket: LoopbackSocket, _ isStored: Bool, _ api: AgentRoutes
  ) async throws -> LoopbackSocket {
    guard !isStored else { return socket }
    do {
      try await api.driver.store(String(socket.port), under: portKey)
    } catch {
      close(socket.descriptor)
      throw error
    }
    return socket
  }
}
