// The HTTP server, on a socket that is already bound. Hummingbird's own server binds by path and deletes any
// socket at that path, even that of a running agent. This server therefore accepts connections itself, and
// adds Hummingbird's HTTP channel with the router's responder to each.

import DaemonKit
import DeviceDriver
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
  /// The maximum number of connections; further ones are closed at once.
  static let connectionsMax = 256
  /// The time that active requests have to finish during shutdown.
  private static let drainTimeout = Duration.seconds(2)

  let api: AgentRoutes
  /// The bound socket; the server owns it.
  let socket: CInt
  let group: any EventLoopGroup
  let logger: Logger
  /// Receives the notice that the agent is ready.
  let supervisor: Supervisor

  private typealias Connection = HTTP1Channel.Value

  func run() async throws {
    let gauge = RequestGauge()
    let http = HTTP1Channel(responder: Self.responder(api, gauge, logger))
    // The gauge limits the number of waiting connections.
    let (connections, arriving) = AsyncStream.makeStream(of: Connection.self)
    let server = try await listen(http, gauge, arriving)
    server.closeFuture.whenComplete { _ in arriving.finish() }
    supervisor.ready(status: "serving")
    // NB: A task of its own, so that nothing cancels the loop that consumes connections: an accepted
    // connection that is dropped unused would end the process (NIO requires its use).
    let serving = Task { await serve(connections, http, gauge) }
    await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        await serving.value
      } onGracefulShutdown: {
        supervisor.stopping()
        server.close(promise: nil)
      }
    } onCancel: {
      server.close(promise: nil)
    }
  }

  /// Accepts connections and yields them to `arriving`.
  private func listen(
    _ http: HTTP1Channel, _ gauge: RequestGauge,
    _ arriving: AsyncStream<Connection>.Continuation
  ) async throws -> any Channel {
    let logger = logger
    let socket = socket
    let rule = PeerRule.ofThisProcess()
    return try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .childChannelInitializer { channel in
        PeerCredentials.of(channel).flatMapThrowing { peer in
          // The mode is read each time, because it can be changed by accident.
          guard rule.admits(peer, mode: PeerRule.mode(ofSocket: socket)) else {
            throw Self.refusal(of: peer, logger)
          }
        }
        .flatMapThrowing {
          guard gauge.opened() else { throw Self.tooMany }
          channel.closeFuture.whenComplete { _ in gauge.closed() }
        }
        .flatMap { http.setup(channel: channel, logger: logger) }
        .flatMapThrowing { connection in
          try channel.pipeline.syncOperations.addHandler(Arrival(of: connection, to: arriving))
        }
      }
      .withBoundSocket(socket).get()
  }

  private static let tooMany = RecordsError(
    .requestRateLimited, "Too many connections to contactsd; the limit is \(connectionsMax).",
    hint: "Close some and try again.")

  private static func refusal(of peer: PeerCredentials, _ logger: Logger) -> RecordsError {
    logger.notice("Connection of another user refused", metadata: ["uid": "\(peer.userID)"])
    return RecordsError(.permissionFailure, "This agent belongs to another user.")
  }

  private func serve(
    _ connections: AsyncStream<Connection>, _ http: HTTP1Channel, _ gauge: RequestGauge
  ) async {
    let logger = logger
    await withDiscardingTaskGroup { tasks in
      for await connection in connections {
        let executor = LoopExecutor(connection.channel.eventLoop)
        tasks.addTask(executorPreference: executor) {
          await http.handle(value: connection, logger: logger)
        }
      }
      api.driver.events.close()
      api.driver.notifications.close()
      api.driver.statusChanges.close()
      await gauge.drained(within: Self.drainTimeout)
      tasks.cancelAll()
    }
  }

  private static func responder(
    _ api: AgentRoutes, _ gauge: RequestGauge, _ logger: Logger
  ) -> HTTPChannelHandler.Responder {
    let (routes, methods) = api.responder()
    return { request, writer, channel in
      gauge.began()
      defer { gauge.ended() }
      let context = BasicRequestContext(
        source: ApplicationRequestContextSource(channel: channel, logger: logger))
      let response: Response
      do {
        let answer = try await api.respondOnce(to: request) {
          try await routes.respond(to: $0, context: context)
        }
        response = ErrorResponse.completed(answer, allowed: methods.of(request.uri.path))
      } catch {
        let known = ErrorResponse.recordsError(error)
        if known.code == .internalError {
          logger.error("A request failed", metadata: ["error": "\(error.logText)"])
        }
        response = ErrorResponse.make(error)
      }
      try await writer.write(response: response.head, body: response.body)
    }
  }
}

/// Counts open connections and active requests.
final class RequestGauge: Sendable {
  private struct Counts {
    var connections = 0
    var requests = 0
  }

  private let counts = Mutex(Counts())

  /// Counts a new connection; returns whether it is within the limit.
  func opened() -> Bool {
    counts.withLock { counts in
      guard counts.connections < APIServer.connectionsMax else { return false }
      counts.connections += 1
      return true
    }
  }

  /// Counts a closed connection.
  func closed() { counts.withLock { $0.connections -= 1 } }

  /// Counts the start of a request.
  func began() { counts.withLock { $0.requests += 1 } }

  /// Counts the end of a request.
  func ended() { counts.withLock { $0.requests -= 1 } }

  /// Waits until no request is active, at most for `limit`.
  func drained(within limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    while counts.withLock({ $0.requests }) > 0, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
