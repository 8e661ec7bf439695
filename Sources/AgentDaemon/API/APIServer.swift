// The HTTP server, on a socket somebody else has bound. Hummingbird's own server binds by path and
// unlinks whatever socket lies there, a living agent's too; so the accepting is done here, and each
// connection is handed to Hummingbird's channel with the router's responder.

import DaemonKit
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Records
import ServiceLifecycle
import Synchronization

/// Serves the agent's API.
struct APIServer: Service {
  /// Connections at a time; more are closed as they come.
  static let connectionsMax = 256
  /// How long requests under way may take once the agent is to stop.
  private static let drainTimeout = Duration.seconds(2)

  let api: AgentAPI
  /// The bound socket; the server owns it.
  let socket: CInt
  let group: any EventLoopGroup
  let logger: Logger
  /// Whom to tell that the agent is ready.
  let supervisor: Supervisor

  private typealias Connection = HTTP1Channel.Value

  func run() async throws {
    let gauge = RequestGauge()
    let http = HTTP1Channel(responder: Self.responder(api, gauge, logger))
    let logger = logger
    let server = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .bind(socket) { channel in
        PeerCredentials.of(channel).flatMapThrowing { try Self.check($0, logger) }
          .flatMap { http.setup(channel: channel, logger: logger) }
          .flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error
          }
      }
    supervisor.ready(status: "serving")
    try await withGracefulShutdownHandler {
      try await serve(server, http, gauge)
    } onGracefulShutdown: {
      supervisor.stopping()
      server.channel.close(promise: nil)
    }
  }

  /// Lets this user's own processes in, and root's. The socket's mode says the same; it can be
  /// changed by accident, this cannot.
  private static func check(_ peer: PeerCredentials, _ logger: Logger) throws {
    guard peer.userID == getuid() || peer.userID == 0, !peer.isOverflowUser else {
      logger.notice("Connection refused", metadata: ["uid": "\(peer.userID)"])
      throw RecordsError(.permissionFailure, "This is another user's agent.")
    }
  }

  private func serve(
    _ server: NIOAsyncChannel<Connection, Never>, _ http: HTTP1Channel, _ gauge: RequestGauge
  ) async throws {
    let logger = logger
    await withDiscardingTaskGroup { tasks in
      do {
        try await server.executeThenClose { inbound in
          for try await connection in inbound {
            guard gauge.opened() else {
              connection.channel.close(promise: nil)
              continue
            }
            let executor = LoopExecutor(connection.channel.eventLoop)
            tasks.addTask(executorPreference: executor) {
              await http.handle(value: connection, logger: logger)
              gauge.closed()
            }
          }
        }
      } catch {
        logger.error("The API's socket failed", metadata: ["error": "\(error)"])
      }
      api.driver.hub.close()
      await gauge.drained(within: Self.drainTimeout)
      tasks.cancelAll()
    }
  }

  private static func responder(
    _ api: AgentAPI, _ gauge: RequestGauge, _ logger: Logger
  ) -> HTTPChannelHandler.Responder {
    let routes = api.responder()
    return { request, writer, channel in
      gauge.began()
      defer { gauge.ended() }
      let context = BasicRequestContext(
        source: ApplicationRequestContextSource(channel: channel, logger: logger))
      let response: Response
      do {
        let answer = try await routes.respond(to: request, context: context)
        response = ErrorResponse.told(answer)
      } catch {
        let known = ErrorResponse.recordsError(error)
        if known.code == .internalError {
          logger.error("A request failed", metadata: ["error": "\(error)"])
        }
        response = ErrorResponse.make(error)
      }
      try await writer.write(response: response.head, body: response.body)
    }
  }
}

/// Counts what is open and under way.
final class RequestGauge: Sendable {
  private struct Counts {
    var connections = 0
    var requests = 0
  }

  private let counts = Mutex(Counts())

  /// Whether one more connection may be.
  func opened() -> Bool {
    counts.withLock { counts in
      guard counts.connections < APIServer.connectionsMax else { return false }
      counts.connections += 1
      return true
    }
  }

  /// A connection is over.
  func closed() { counts.withLock { $0.connections -= 1 } }

  /// A request is being answered.
  func began() { counts.withLock { $0.requests += 1 } }

  /// A request is answered.
  func ended() { counts.withLock { $0.requests -= 1 } }

  /// Waits until no request is being answered, but no longer than `limit`.
  func drained(within limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    while counts.withLock({ $0.requests }) > 0, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
