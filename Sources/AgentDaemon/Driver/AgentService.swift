import BrokerLinks
import DeviceDriver
import ServiceLifecycle

/// Runs a driver from start to shutdown. It stops when the API accepts no more requests.
struct AgentService: Service {
  let driver: ReplicaDriver
  let endpoints: [BrokerEndpoint]

  func run() async throws {
    let watch = await ConnectionWatch.start(driver, endpoints: endpoints)
    try? await gracefulShutdown()
    await watch.stop()
    await driver.stop()
  }
}
