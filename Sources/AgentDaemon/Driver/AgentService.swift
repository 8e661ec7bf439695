// The device's share in the life of the process: it begins to connect when everything it needs is
// there, and lets go of the broker when the API no longer takes requests.

import Logging
import NIOCore
import ServiceLifecycle

/// Runs a driver from start to shutdown.
struct AgentService: Service {
  let driver: AgentDriver
  let brokerPath: String
  let group: any EventLoopGroup
  let logger: Logger

  func run() async throws {
    let watch = await watchBroker()
    await driver.start()
    try? await gracefulShutdown()
    watch?.close(promise: nil)
    await driver.stop()
  }

  /// Watches for the broker's socket. Without the watch the device is only slower to come back.
  private func watchBroker() async -> (any Channel)? {
    let driver = driver
    do {
      return try await BrokerWatch.start(path: brokerPath, on: group.next()) {
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
