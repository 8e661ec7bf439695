import NIOCore
import NIOPosix
import Records

/// Connects to the broker of this machine through a Unix socket.
package struct UnixBrokerConnector: BrokerConnector {
  private let path: String
  private let group: any EventLoopGroup

  /// Creates a connector to the socket at `path`. `group` runs the connections and must outlive them.
  package init(path: String, group: any EventLoopGroup) {
    self.path = path
    self.group = group
  }

  package func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    let path = path
    ClientBootstrap(group: group)
      // Most answers are short; a page of changes can fill the largest buffer.
      .channelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 256, maximum: 64 << 10)
      )
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(FrameReceiver(receive: receive))
        }
      }
      .connect(unixDomainSocketPath: path)
      .whenFailure { error in receive(.closed(Self.reason(of: error, path: path))) }
  }

  /// Returns why the socket could not be opened, for users.
  static func reason(of error: any Error, path: String) -> RecordsError {
    let hint = "Start it with “systemctl start contacts-broker”."
    switch error {
    case SocketAddressError.unixDomainSocketPathTooLong:
      return .invalid("The path of the broker's socket is too long: “\(path)”.")
    case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM:
      return RecordsError(
        .permissionFailure, "This user may not connect to the broker's socket “\(path)”.",
        hint: "Check the permissions of the socket and its directory.", reason: "forbiddenSocket")
    case let error as IOError where error.errnoCode == EAGAIN:
      return RecordsError(
        .serviceUnavailable, "The broker at “\(path)” has too many pending connections.",
        retryAfterSeconds: 1)
    default:
      return RecordsError(
        .networkUnavailable, "No broker answers at “\(path)”.", hint: hint, retryAfterSeconds: 1)
    }
  }
}
