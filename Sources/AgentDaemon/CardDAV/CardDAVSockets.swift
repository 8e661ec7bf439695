// The sockets on which CardDAV is served. A port of this machine is for the agent's own user: any user of the machine can
// connect to it, and a password could be tried or read on the way to a wrong port. It stays bound while the agent restarts,
// where the service manager keeps sockets.

import CardDAVStore
import DaemonKit
import DeviceDriver
import DeviceStore
import Glibc
import Logging
import NIOCore
import NIOPosix
import Records

/// Listens on the addresses of CardDAV.
struct CardDAVSockets {
  /// Sockets that are bound.
  struct Bound: Sendable {
    private(set) var channels: [any Channel] = []
    /// What people type into their programs.
    private(set) var addresses: [CardDAVAddress] = []
    /// Why other addresses are not served, a sentence each.
    fileprivate(set) var problems: [String] = []
    // Each address has connections of its own, so that other machines cannot use up those of this one.
    private var connections: [HTTPConnections] = []

    /// Adds a socket.
    fileprivate mutating func add(
      _ channel: any Channel, _ connections: HTTPConnections, at address: CardDAVAddress
    ) {
      channel.closeFuture.whenComplete { _ in connections.finish() }
      channels.append(channel)
      self.connections.append(connections)
      addresses.append(address)
    }

    /// Serves the connections until the sockets are closed.
    func serve() async {
      await withDiscardingTaskGroup { tasks in
        for connections in connections { tasks.addTask { await connections.serve {} } }
      }
    }

    /// Closes the sockets.
    func close() async {
      for channel in channels { try? await channel.close() }
    }
  }

  /// The port that is tried first.
  static let standardPort: UInt16 = 7435
  private static let ownPort = DevicePort(key: "dav-port", preferred: standardPort)
  private static let socketMode: UInt32 = 0o660

  let settings: CardDAVSettings
  let group: any EventLoopGroup
  let logger: Logger
  /// Makes the connections of an address.
  let connections: @Sendable (CardDAVEntrance) -> HTTPConnections

  /// Listens on all addresses that can be used, and notes why others cannot.
  /// - Throws: `DaemonError` if none can be used.
  func listen(near api: AgentRoutes) async throws -> Bound {
    var bound = Bound()
    guard !settings.addresses.isEmpty else {
      try await listen(on: Self.ownPort.socket(of: api), &bound)
      return bound
    }
    var first: (any Error)?
    for address in settings.addresses {
      do {
        try await listen(on: address, of: api, &bound)
      } catch {
        first = first ?? error
        bound.problems.append((error as? DaemonError)?.message ?? error.logText)
        logger.error(
          "CardDAV is not served at an address",
          metadata: ["address": "\(address)", "error": "\(error.logText)"])
      }
    }
    if let first, bound.channels.isEmpty { throw first }
    return bound
  }

  private func listen(
    on address: CardDAVSettings.Address, of api: AgentRoutes, _ bound: inout Bound
  ) async throws {
    switch address {
    case .loopback(let port):
      try await listen(on: DevicePort.keptSocket(at: port, of: api), &bound)
    case .tls(let address): try await listen(on: address, &bound)
    case .unixSocket(let path): try await listen(atPath: path, &bound)
    }
  }

  // MARK: This machine

  private func listen(on socket: LoopbackSocket, _ bound: inout Bound) async throws {
    guard PeerUser.isKnown(of: socket) else {
      Glibc.close(socket.descriptor)
      throw PeerUser.unknown
    }
    let connections = connections(CardDAVEntrance(scope: .computer))
    let logger = logger
    let channel = try await ServerBootstrap(group: group)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        OwnUser.check(channel, logger).flatMap { connections.add(channel) }
      }
      .withBoundSocket(socket.descriptor).get()
    bound.add(
      channel, connections,
      at: CardDAVAddress(text: "http://\(socket.address):\(socket.port)/", scope: .computer))
  }

  // MARK: Other machines

  private func listen(on address: ListenAddress, _ bound: inout Bound) async throws {
    guard let certificate = settings.certificate, let key = settings.key else {
      throw DaemonError(.configuration, "CardDAV at \(address) needs a certificate.")
    }
    let files = try CertificateFiles(certificate: certificate, key: key)
    let clients = RemoteClients()
    let connections = connections(CardDAVEntrance(scope: .network, clients: clients))
    let channel = try await TLSListener.bind(address, context: files, on: group) { channel, _ in
      guard clients.admit(channel) else {
        return channel.eventLoop.makeFailedFuture(
          RecordsError(.requestRateLimited, "Too many connections of one network."))
      }
      return connections.add(channel)
    }
    let text = "https://\(Self.name(of: address)):\(address.port)/"
    bound.add(channel, connections, at: CardDAVAddress(text: text, scope: .network))
  }

  /// Returns the name by which other machines reach an address. One that stands for all addresses has none.
  private static func name(of address: ListenAddress) -> String {
    guard ["::", "0.0.0.0"].contains(address.host) else {
      return address.host.contains(":") ? "[\(address.host)]" : address.host
    }
    return AgentSettings.machineName()
  }

  // MARK: A reverse proxy

  /// Who may connect is decided by the mode and the group of the socket's file, and its directory.
  private func listen(atPath path: String, _ bound: inout Bound) async throws {
    let socket = try ListeningSocket.bind(path: path, mode: Self.socketMode)
    let connections = connections(CardDAVEntrance(scope: .network))
    let channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { connections.add($0) }
      .withBoundSocket(socket.descriptor).get()
    channel.closeFuture.whenComplete { _ in socket.removeFile() }
    bound.add(channel, connections, at: CardDAVAddress(text: "unix:\(path)", scope: .network))
  }
}
