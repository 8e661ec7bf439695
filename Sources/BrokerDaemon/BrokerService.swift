// The broker as a service: the sockets that systemd passed or that it creates, readiness, reloading and metrics around
// the server.

import BrokerCore
import BrokerServer
import DaemonKit
import Logging
import NIOCore
import Records
import ServiceLifecycle
import UnixSignals

/// A broker that the service manager runs.
struct BrokerService: Service {
  let server: Server
  let sockets: Sockets
  let logger: Logger
  /// Reads the permissions again, on SIGHUP.
  let readPolicy: @Sendable () throws -> BrokerPolicy

  /// Where it listens.
  struct Sockets: Sendable {
    /// For programs of this machine.
    let local: ListeningSocket
    /// For the metrics page, if there is one.
    let metrics: ListeningSocket?
    /// For devices on other machines, if there are any.
    let remote: RemoteListener?
  }

  func run() async throws {
    try await server.serve(listen: listen) {
      let metrics = try await serveMetrics()
      reportReadiness()
      await withTaskGroup { tasks in
        tasks.addTask { await cancelWhenGracefulShutdown { await reloadOnHangup() } }
        try? await gracefulShutdown()
        tasks.cancelAll()
      }
      Supervisor().stopping()
      await metrics?.stop()
      sockets.local.removeFile()
    }
  }

  private func listen() async throws -> [any Channel] {
    let local = try await server.listen(on: .descriptor(sockets.local.descriptor)) {
      PeerCredentials.of($0).map(\.userID)
    }
    do {
      let remote = try await sockets.remote?.listen(server.driver, on: server.group, logger: logger)
      return [local] + (remote ?? [])
    } catch {
      try? await local.close()
      throw error
    }
  }

  private func serveMetrics() async throws -> MetricsServer? {
    guard let socket = sockets.metrics else { return nil }
    let server = server
    return try await MetricsServer(socket: socket, on: server.driver.loop) {
      MetricsPage(status: server.driver.status, commits: server.meter.counts).text
    }
  }

  private func reportReadiness() {
    let path = sockets.local.path
    Supervisor().ready(status: "Serving \(path ?? "the socket that systemd passed")")
    logger.info(
      "serving", metadata: ["socket": "\(path ?? "passed")", "version": "\(ProgramVersion.text)"])
  }

  private func reloadOnHangup() async {
    for await _ in await UnixSignalsSequence(trapping: .sighup) {
      Supervisor().reloading()
      do {
        let policy = try readPolicy()
        let driver = server.driver
        driver.loop.execute { driver.handle(.policyChanged(policy)) }
        logger.info("accounts and maySpeakFor were reloaded; other settings need a restart")
      } catch {
        logger.error(
          "cannot reload the settings; the previous ones stay in effect",
          metadata: ["reason": "\(error)"])
      }
      Supervisor().ready(status: "Serving")
    }
  }
}
