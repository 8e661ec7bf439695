// The listener of the CardDAV clients. It starts with the first app password, or with the agent if there is one. A client
// stores the address, so the port is drawn once and kept.

import AgentAPI
import CardDAVStore
import DaemonKit
import DeviceDriver
import DeviceStore
import HummingbirdCore
import Logging
import NIOCore
import Records

/// Serves CardDAV.
actor CardDAVListener {
  /// The maximum number of connections of an address. A program opens several.
  static let connectionsMaximum = 256
  /// How long a connection may stay without a byte, also before its first request.
  private static let idleTimeout = TimeAmount.seconds(60)
  private static let headerBytesMaximum = 32 << 10
  private static let headersMaximum = 100

  private struct Environment {
    let api: AgentRoutes
    let group: any EventLoopGroup
    let logger: Logger
  }

  private struct Serving {
    let bound: CardDAVSockets.Bound
    let task: Task<Void, Never>
  }

  private var environment: Environment?
  private let listener = SharedStart<Serving>()

  /// What is served, and what is not.
  struct Places: Sendable {
    /// The addresses that people type into their programs.
    let addresses: [CardDAVAddress]
    /// Why other addresses of the settings are not served, a sentence each.
    let problems: [String]
  }

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
  /// - Throws: `serviceUnavailable` with an address that cannot be used, if none can.
  func start() async throws -> Places {
    do {
      let bound = try await serving().bound
      return Places(addresses: bound.addresses, problems: bound.problems)
    } catch let error as DaemonError {
      throw RecordsError(.serviceUnavailable, error.message, hint: error.hint)
    }
  }

  /// Stops the listener.
  func stop() async {
    environment = nil
    guard let serving = await listener.end() else { return }
    await serving.bound.close()
    await serving.task.value
  }

  // MARK: Starting

  private func serving() async throws -> Serving {
    guard let environment else {
      throw RecordsError(.serviceUnavailable, "contactsd is stopping.")
    }
    return try await listener.value { try await Self.start(environment) }
  }

  private static func start(_ environment: Environment) async throws -> Serving {
    let responder = CardDAVResponder(environment.api, logger: environment.logger)
    let sockets = CardDAVSockets(
      settings: environment.api.given?.cardDAV ?? CardDAVSettings(), group: environment.group,
      logger: environment.logger
    ) { entrance in
      HTTPConnections(
        connectionsMaximum: Self.connectionsMaximum, configuration: Self.configuration,
        drainTimeout: environment.api.drainTimeout, logger: environment.logger
      ) { request, channel in
        await responder.response(to: request, over: channel, through: entrance)
      }
    }
    let bound = try await sockets.listen(near: environment.api)
    let addresses = bound.addresses.map(\.text).joined(separator: ", ")
    environment.logger.info("Serving CardDAV", metadata: ["addresses": "\(addresses)"])
    // Nothing cancels the loop that consumes connections (see `APIServer.run`); `stop` waits for it.
    let task = Task { await bound.serve() }
    return Serving(bound: bound, task: task)
  }

  private static var configuration: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [ContinueHandler()], idleTimeout: idleTimeout,
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: headerBytesMaximum, maxHeaderListSize: headerBytesMaximum,
        maxHeaderFieldCount: headersMaximum))
  }
}
