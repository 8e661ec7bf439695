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
    if let stored, let socket = try? LoopbackSocket(port: stored) { return socket }
    let first = preferred.flatMap { try? LoopbackSocket(port: $0) }
    let socket = try first ?? LoopbackSocket(port: 0)
    do {
      try await keep(socket.port, for: api)
    } catch {
      close(socket.descriptor)
      throw error
    }
    return socket
  }

  /// Stores the port, unless it is the device's already.
  /// - Throws: `StoreError`.
  func keep(_ port: UInt16, for api: AgentRoutes) async throws {
    guard try api.reader.setting(key) != String(port) else { return }
    try await api.driver.store(String(port), under: key)
  }
}
