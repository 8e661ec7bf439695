// Accepts TLS connections of other machines.

import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import Records

/// The TLS configuration of new connections, which may change.
package protocol ConnectionContext: Sendable {
  /// The configuration now.
  var current: NIOSSLContext { get }
}

extension NIOSSLContext: ConnectionContext {
  /// This one, always.
  package var current: NIOSSLContext { self }
}

/// A listening TCP socket whose connections use TLS.
package enum TLSListener {
  private static let backlog: Int32 = 4096
  /// How long sent bytes may stay without a confirmation before the kernel ends a connection
  /// (tcp(7), `TCP_USER_TIMEOUT`).
  private static let userTimeoutMilliseconds = 30_000

  /// Adds the handlers of a connection behind TLS, which comes from a network. A connection is active for them at once,
  /// before the handshake; what they write waits for its end.
  package typealias Initialize = @Sendable (any Channel, RemoteNetwork) -> EventLoopFuture<Void>

  /// The proxies of a listening socket, and what is done about a connection of theirs that does not begin with a header.
  package struct Proxies: Sendable {
    let trusted: TrustedProxies
    let reject: @Sendable (RemoteNetwork) -> Void

    /// - Parameter reject: Called with the proxy's network for each connection that begins with no header. The listener
    ///   closes it.
    package init(
      _ trusted: TrustedProxies, reject: @escaping @Sendable (RemoteNetwork) -> Void
    ) {
      (self.trusted, self.reject) = (trusted, reject)
    }

    /// No proxies.
    package static let none = Proxies(.none) { _ in }
  }

  /// Listens on an address.
  /// - Throws: `cannotCreate` if the address cannot be used.
  package static func bind(
    _ address: ListenAddress, context: any ConnectionContext, on group: any EventLoopGroup,
    proxies: Proxies = .none, initialize: @escaping Initialize
  ) async throws(DaemonError) -> any Channel {
    do {
      return try await bootstrap(context, group, proxies, initialize)
        .bind(host: address.host, port: address.port).get()
    } catch {
      throw DaemonError(
        .cannotCreate, "Cannot listen on \(address): \(reason(of: error)).",
        hint: "Check the address, and whether another program uses the port.")
    }
  }

  /// Accepts connections of a listening socket that systemd passed.
  /// - Throws: `cannotCreate` if that is not possible.
  package static func accept(
    from descriptor: Int32, context: any ConnectionContext, on group: any EventLoopGroup,
    proxies: Proxies = .none, initialize: @escaping Initialize
  ) async throws(DaemonError) -> any Channel {
    do {
      return try await bootstrap(context, group, proxies, initialize)
        .withBoundSocket(descriptor).get()
    } catch {
      throw DaemonError(
        .cannotCreate, "Cannot use the socket that systemd passed: \(reason(of: error)).")
    }
  }

  private static func bootstrap(
    _ context: any ConnectionContext, _ group: any EventLoopGroup, _ proxies: Proxies,
    _ initialize: @escaping Initialize
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(
        ChannelOptions.Types.SocketOption(
          level: .tcp, name: NIOBSDSocket.Option(rawValue: CInt(TCP_USER_TIMEOUT))),
        value: userTimeoutMilliseconds
      )
      .childChannelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: 65536)
      )
      .childChannelOption(
        .writeBufferWaterMark,
        value: ChannelOptions.Types.WriteBufferWaterMark(low: 64 << 10, high: 256 << 10)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let network = channel.remoteAddress.flatMap(RemoteNetwork.init) else {
            throw ChannelError.ioOnClosedChannel
          }
          return network
        }.flatMap { network in
          guard proxies.trusted.contains(channel.remoteAddress) else {
            return begin(channel, of: network, context, initialize)
          }
          return channel.eventLoop.makeCompletedFuture {
            let header = ProxyHeaderHandler(
              initialize: { begin(channel, of: $0 ?? network, context, initialize) },
              reject: { proxies.reject(network) })
            try channel.pipeline.syncOperations.addHandler(header)
          }
        }
      }
  }

  /// Adds TLS and the handlers behind it.
  private static func begin(
    _ channel: any Channel, of network: RemoteNetwork, _ context: any ConnectionContext,
    _ initialize: Initialize
  ) -> EventLoopFuture<Void> {
    do {
      try channel.pipeline.syncOperations.addHandler(
        NIOSSLServerHandler(context: context.current))
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return initialize(channel, network)
  }

  private static func reason(of error: any Error) -> String {
    if let error = error as? IOError { return systemText(error.errnoCode) }
    return "the host name cannot be resolved"
  }
}
