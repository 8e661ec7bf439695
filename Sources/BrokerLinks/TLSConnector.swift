// Connects over TLS. The broker's key is compared in the verification callback. Sessions are never resumed, so
// the callback runs for each connection.

import Crypto
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import Records
import Synchronization

/// Connects to a broker on another machine over TLS 1.3. A broker is known by its key alone: names and dates
/// in its certificate mean nothing.
package struct TLSConnector: BrokerConnector {
  /// Which keys of a broker are accepted.
  package enum Trust: Sendable {
    /// The key with this SHA-256 digest.
    case key(digest: [UInt8])
    /// Any key. Its digest is reported before the connection opens. Only for joining, which proves the key
    /// in another way.
    case any(report: @Sendable (_ digest: [UInt8]) -> Void)
  }

  /// The time for the connection and the handshake.
  private static let timeout = TimeAmount.seconds(10)
  /// The application protocol of brokers (ALPN).
  static let applicationProtocol = "contacts/1"
  /// How long sent bytes may stay without a confirmation (tcp(7), `TCP_USER_TIMEOUT`). It also counts while the
  /// broker does not read, so it is longer than a busy disk takes.
  private static let userTimeoutMilliseconds = 20_000
  private let destination: TLSDestination
  private let trust: Trust
  private let group: any EventLoopGroup

  /// Creates a connector. `group` runs the connections and must outlive them.
  package init(_ destination: TLSDestination, trust: Trust, group: any EventLoopGroup) {
    self.destination = destination
    self.trust = trust
    self.group = group
  }

  package func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    let failure = TLSFailure(destination: destination)
    ClientBootstrap(group: group)
      .connectTimeout(Self.timeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(
        ChannelOptions.Types.SocketOption(
          level: .tcp, name: NIOBSDSocket.Option(rawValue: CInt(TCP_USER_TIMEOUT))),
        value: Self.userTimeoutMilliseconds
      )
      .channelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: 64 << 10)
      )
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let verdict = KeyVerdict(trust)
          try channel.pipeline.syncOperations.addHandlers(
            try NIOSSLClientHandler(
              context: try Self.context.get(), serverHostname: nil,
              customVerificationCallback: { certificates, promise in
                promise.succeed(verdict.judge(certificates) ? .certificateVerified : .failed)
              }),
            TLSHandshake(failure: failure, verdict: verdict, timeout: Self.timeout),
            FrameReceiver(receive: receive))
        }
      }
      .connect(host: destination.host, port: destination.port)
      .whenFailure { error in receive(.closed(failure.connecting(error))) }
  }

  private static let context = Result { try makeContext() }

  private static func makeContext() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv13
    configuration.applicationProtocols = [applicationProtocol]
    // The callback decides. The certificate's names are not those of the host, and no authority counts.
    configuration.certificateVerification = .noHostnameVerification
    configuration.trustRoots = .certificates([])
    configuration.shutdownTimeout = .seconds(1)
    return try NIOSSLContext(configuration: configuration)
  }
}

/// What a handshake found out about the broker's key.
final class KeyVerdict: Sendable {
  private let trust: TLSConnector.Trust
  private let isOther = Atomic(false)

  init(_ trust: TLSConnector.Trust) {
    self.trust = trust
  }

  /// Whether the broker has another key than the expected one.
  var isOtherKey: Bool { isOther.load(ordering: .relaxed) }

  /// Returns whether the key in the broker's certificate is accepted.
  func judge(_ certificates: [NIOSSLCertificate]) -> Bool {
    guard let key = try? certificates.first?.extractPublicKey().toSPKIBytes() else { return false }
    let digest = Array(SHA256.hash(data: key))
    switch trust {
    case .key(let expected):
      isOther.store(digest != expected, ordering: .relaxed)
      return digest == expected
    case .any(let report):
      report(digest)
      return true
    }
  }
}
