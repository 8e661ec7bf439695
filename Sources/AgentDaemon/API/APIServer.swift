// The HTTP server, on a socket that is already bound. Hummingbird's own server binds by path and deletes any
// socket at that path, even that of a running agent. This server therefore accepts connections itself, and
// adds Hummingbird's HTTP channel with the router's responder to each.

import DaemonKit
import DeviceDriver
import Glibc
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Records
import ServiceLifecycle

/// Serves the agent's API.
struct APIServer: Service {
  /// The maximum number of connections; further ones are closed at once.
  static let connectionsMax = 256

  let api: AgentRoutes
  /// The bound socket; the server owns it.
  let socket: CInt
  let group: any EventLoopGroup
  let logger: Logger
  /// Receives the notice that the agent is ready.
  let supervisor: Supervisor

  func run() async throws {
    let responder = APIResponder(api, logger: logger)
    let connections = HTTPConnections(
      connectionsMaximum: Self.connectionsMax, drainTimeout: api.drainTimeout, logger: logger
    ) {
      await responder.response(to: $0, over: $1)
    }
    let server = try await listen(connections)
    server.closeFuture.whenComplete { _ in connections.finish() }
    await api.web.attach(responder, group: group)
    await api.cardDAV.attach(api, group: group, logger: logger)
    api.sockets.releaseOthers()
    supervisor.ready(status: "serving")
    // NB: A task of its own, so that nothing cancels the loop that consumes connections: an accepted
    // connection that is dropped unused would end the process (NIO requires its use).
    let serving = Task { await serve(connections) }
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

  private func serve(_ connections: HTTPConnections) async {
    await connections.serve {
      api.driver.events.close()
      api.driver.notifications.close()
      api.driver.statusChanges.close()
    }
    await api.web.stop()
    await api.cardDAV.stop()
  }

  /// Accepts connections of this user.
  private func listen(_ connections: HTTPConnections) async throws -> any Channel {
    let logger = logger
    let socket = socket
    let rule = PeerRule.ofThisProcess()
    return try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .childChannelInitializer { channel in
        PeerCredentials.of(channel).flatMapThrowing { peer in
          // The mode is read each time, because it can be changed by accident.
          guard rule.admits(peer, mode: PeerRule.mode(ofSocket: socket)) else {
            throw OwnUser.refusal(of: peer.userID, logger)
          }
        }
        .flatMap { connections.add(channel) }
      }
      .withBoundSocket(socket).get()
  }
}
