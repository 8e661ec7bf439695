// Reaches the broker of this machine through its socket file.

import NIOCore
import NIOPosix
import Records

/// Connects to a Unix socket.
package struct UnixBrokerConnector: BrokerConnector {
  private let path: String
  private let group: any EventLoopGroup

  /// A connector to the socket at `path`. `group` runs the connections and outlives them.
  package init(path: String, group: any EventLoopGroup) {
    self.path = path
    self.group = group
  }

  package func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    let path = path
    ClientBootstrap(group: group)
      // Most answers are short; a page of changes fills the largest buffer.
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

  private static func reason(of error: any Error, path: String) -> RecordsError {
    let hint = "It is started with “systemctl start contacts-broker”, or by hand."
    switch error {
    case SocketAddressError.unixDomainSocketPathTooLong:
      return .invalid("The path of the broker's socket is too long: “\(path)”.")
    case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM:
      return RecordsError(
        .permissionFailure, "This user may not connect to the broker's socket “\(path)”.",
        hint: "Its directory and mode decide who may.")
    case let error as IOError where error.errnoCode == EAGAIN:
      return RecordsError(
        .serviceUnavailable, "The broker at “\(path)” has too many callers waiting.",
        retryAfterSeconds: 1)
    default:
      return RecordsError(
        .networkUnavailable, "No broker answers at “\(path)”.", hint: hint, retryAfterSeconds: 1)
    }
  }
}
