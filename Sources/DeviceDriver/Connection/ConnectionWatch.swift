import BrokerLinks
import Logging
import NIOCore

/// Watches for events after which a driver should try to connect: the broker's socket was created, the network
/// changed, or the machine woke up. Without it a device is only slower to connect again.
package struct ConnectionWatch: Sendable {
  private let network: NetworkWatch
  private let sockets: [any Channel]

  /// Starts a driver and a watch for it.
  /// - Parameter endpoints: The endpoints of the broker; those that are sockets on this machine are watched.
  package static func start(
    _ driver: ReplicaDriver, endpoints: [BrokerEndpoint]
  ) async -> ConnectionWatch {
    var sockets: [any Channel] = []
    for case .unixSocket(let path) in endpoints {
      if let socket = await watch(path, for: driver) { sockets.append(socket) }
    }
    let network = NetworkWatch(loop: driver.loop) {
      driver.assumeIsolated { $0.networkChanged() }
    }
    await driver.start()
    await network.start()
    return ConnectionWatch(network: network, sockets: sockets)
  }

  /// Ends the watch. The driver goes on until its own `stop`.
  package func stop() async {
    await network.stop()
    for socket in sockets { socket.close(promise: nil) }
  }

  private static func watch(_ path: String, for driver: ReplicaDriver) async -> (any Channel)? {
    do {
      return try await BrokerWatch.start(path: path, on: driver.loop) {
        driver.assumeIsolated { $0.brokerAppeared() }
      }.get()
    } catch {
      driver.logger.warning(
        "Cannot watch the broker's socket; reconnecting may take longer",
        metadata: ["error": "\(error)"])
      return nil
    }
  }
}
