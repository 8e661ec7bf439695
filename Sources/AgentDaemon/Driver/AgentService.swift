// The device's share in the life of the process: it begins to connect when everything it needs is
// there, and lets go of the broker when the API no longer takes requests.

import BrokerLinks
import Logging
import NIOCore
import ServiceLifecycle

/// Runs a driver from start to shutdown.
struct AgentService: Service {
  let driver: AgentDriver
  let endpoints: [BrokerEndpoint]
  let group: any EventLoopGroup
  let logger: Logger

  func run() async throws {
    let watches = await watchSockets()
    let driver = driver
    let network = NetworkWatch(loop: driver.loop) { driver.assumeIsolated { $0.networkChanged() } }
    await driver.start()
    await network.start()
    try? await gracefulShutdown()
    await network.stop()
    for watch in watches { watch.close(promise: nil) }
    await driver.stop()
  }

  /// Watches for the broker's sockets on this machine.
  private func watchSockets() async -> [any Channel] {
    var watches: [any Channel] = []
    for case .unixSocket(let path) in endpoints {
      if let watch = await watch(path) { watches.append(watch) }
    }
    return watches
  }

  /// Watches for a socket. Without the watch the device is only slower to come back.
  private func watch(_ path: String) async -> (any Channel)? {
    let driver = driver
    do {
      return try await BrokerWatch.start(path: path, on: group.next()) {
        driver.assumeIsolated { $0.brokerAppeared() }
      }.get()
    } catch {
      logger.warning(
        "Cannot watch the broker's socket; reconnecting may take longer",
        metadata: ["error": "\(error)"])
      return nil
    }
  }
}
