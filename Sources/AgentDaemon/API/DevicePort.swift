// A port of this machine that a device keeps. A fixed one would be the same for all users and devices of a machine, and
// programs store the address.

import DaemonKit
import DeviceDriver
import DeviceStore
import Glibc

/// A port that is drawn once.
struct DevicePort {
  /// The key under which the device stores it.
  let key: String
  /// The port to try first on a device without one; `nil` for any.
  var preferred: UInt16?

  /// Returns a socket at the device's port. If another program has taken the port, the device gets a new one.
  /// - Throws: `DaemonError` if there is no port, `StoreError` if it cannot be stored.
  func socket(of api: AgentRoutes) async throws -> LoopbackSocket {
    let stored = try api.reader.setting(key).flatMap { UInt16($0) }
    if let stored, let socket = try? Self.keptSocket(at: stored, of: api) { return socket }
    let first = preferred.flatMap { try? Self.keptSocket(at: $0, of: api) }
    let socket = try first ?? Self.keptSocket(at: 0, of: api)
    do {
      try await keep(socket.port, for: api)
    } catch {
      close(socket.descriptor)
      throw error
    }
    return socket
  }

  /// Returns the socket at a port of this machine that was kept while the agent restarted, or a new one, which will be.
  /// - Throws: `cannotCreate` if another program uses the port.
  static func keptSocket(at port: UInt16, of api: AgentRoutes) throws(DaemonError) -> LoopbackSocket
  {
    if let socket = api.sockets.take(name(ofSocketAt: port)) { return socket }
    let socket = try LoopbackSocket(port: port)
    api.sockets.keep(socket, as: name(ofSocketAt: socket.port))
    return socket
  }

  private static func name(ofSocketAt port: UInt16) -> String { "port-\(port)" }

  private func keep(_ port: UInt16, for api: AgentRoutes) async throws {
    guard try api.reader.setting(key) != String(port) else { return }
    try await api.driver.store(String(port), under: key)
  }
}
