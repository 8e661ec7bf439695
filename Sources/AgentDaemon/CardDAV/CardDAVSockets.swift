// The sockets on which CardDAV is served. A port of this machine is for the agent's own user: any user of the machine can
// connect to it, and a password could be tried or read on the way to a wrong port.

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
    private(set) var addresses: [String] = []
    // Each address has connections of its own, so that other machines cannot use up those of this one.
    private var connections: [HTTPConnections] = []

    /// Adds a socket.
    mutating func add(_ channel: any Channel, _ connections: HTTPConnections, at address: String) {
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
  private static let connectionsOfMachineMaximum = 64

  let settings: CardDAVSettings
  let group: any EventLoopGroup
  let logger: Logger

  /// Listens on all addresses.
  /// - Throws: `DaemonError` if one cannot be used. Then none is.
  func listen(
    near api: AgentRoutes, connections: () -> HTTPConnections
  ) async throws -> Bound {
    var bound = Bound()
    do {
      if settings.addresses.isEmpty {
        try await listen(on: Self.ownPort.socket(of: api), connections(), &bound)
      }
      for address in settings.addresses {
        switch address {
        case .loopback(let port):
          try await listen(on: LoopbackSocket(port: port), connections(), &bound)
        case .tls(let address): try await listen(on: address, connections(), &bound)
        case .unixSocket(let path): try await listen(atPath: path, connections(), &bound)
        }
      }
      return bound
    } catch {
      await bound.close()
      throw error
    }
  }

  // MARK: This machine

  private func listen(
    on socket: LoopbackSocket, _ connections: HTTPConnections, _ bound: inout Bound
  ) async throws {
    let (logger, others) = (logger, settings.users)
    let channel = try await ServerBootstrap(group: group)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        let user = PeerUser.id(of: channel)
        // The overflow uid stands for all users without a mapping, so it identifies no user.
        guard let user, user == getuid() || others.contains(user),
          user != PeerCredentials.overflowUserID
        else { return channel.eventLoop.makeFailedFuture(APIServer.refusal(ofUser: user, logger)) }
        return connections.add(channel)
      }
      .withBoundSocket(socket.descriptor).get()
    bound.add(channel, connections, at: "http://127.0.0.1:\(socket.port)/")
  }

  // MARK: Other machines

  private func listen(
    on address: ListenAddress, _ connections: HTTPConnections, _ bound: inout Bound
  ) async throws {
    guard let certificate = settings.certificate, let key = settings.key else {
      throw DaemonError(.configuration, "CardDAV at \(address) needs a certificate.")
    }
    let files = try CertificateFiles(certificate: certificate, key: key)
    let share = ConnectionShare(maximum: Self.connectionsOfMachineMaximum)
    let channel = try await TLSListener.bind(address, context: files, on: group) { channel in
      guard share.admit(channel) else {
        return channel.eventLoop.makeFailedFuture(
          RecordsError(.requestRateLimited, "Too many connections of one machine."))
      }
      return connections.add(channel)
    }
    bound.add(channel, connections, at: "https://\(Self.name(of: address)):\(address.port)/")
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
  private func listen(
    atPath path: String, _ connections: HTTPConnections, _ bound: inout Bound
  ) async throws {
    let socket = try ListeningSocket.bind(path: path, mode: Self.socketMode)
    let channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { connections.add($0) }
      .withBoundSocket(socket.descriptor).get()
    channel.closeFuture.whenComplete { _ in socket.removeFile() }
    bound.add(channel, connections, at: "unix:\(path)")
  }
}
