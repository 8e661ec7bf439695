import NIOCore
import NIOPosix
import NIOSSL
import Records

/// Why a connection over TLS could not be made.
struct TLSFailure: Sendable {
  let destination: TLSDestination

  /// The error for a connection that was not established.
  func connecting(_ error: any Error) -> RecordsError {
    // Several addresses of a host were tried.
    let cause = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
    switch cause {
    case let error as NIOConnectionError where error.connectionErrors.isEmpty:
      return failure(
        "The host “\(destination.host)” cannot be found.",
        hint: "Check the name, and whether this device is online.")
    case is SocketAddressError, is SocketAddressError.FailedToParseIPByteBuffer:
      return failure(
        "The host “\(destination.host)” cannot be found.",
        hint: "Check the name, and whether this device is online.")
    case let error as IOError where error.errnoCode == ECONNREFUSED:
      return failure(
        "\(place) refuses connections.",
        hint: "Check that the broker runs and that its setting “listen” has this port.")
    case let error as IOError:
      return failure("\(place) cannot be reached: \(String(cString: strerror(error.errnoCode))).")
    case is ChannelError: return silent
    default: return failure("\(place) cannot be reached: \(error).")
    }
  }

  /// The error for a handshake that failed.
  func handshaking(_ error: any Error) -> RecordsError {
    if let error = error as? RecordsError { return error }
    if error is IOError || Self.isEnd(error) { return ended }
    let text = "\(error)"
    if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
      return failure(
        "\(place) does not support TLS 1.3.", hint: "Check the address of the broker.")
    }
    // A web server, for example, that knows other application protocols and insists on one of them.
    if text.contains("NO_APPLICATION_PROTOCOL") { return otherService }
    return failure(
      "\(place) is not a broker: it does not speak TLS.",
      hint: "Check the port. The broker's is \(TLSDestination.standardPort), unless its setting "
        + "“listen” has another.")
  }

  private static func isEnd(_ error: any Error) -> Bool {
    switch error as? NIOSSLError {
    case .uncleanShutdown: true
    case .handshakeFailed(.sslError(let stack)): stack.contains(.eofDuringHandshake)
    default: false
    }
  }

  /// The error for a broker with another key than the one that this device knows.
  var otherKey: RecordsError {
    RecordsError(
      .permissionFailure, "The broker at \(place) has another key than the one this device joined.",
      hint:
        "If the broker was set up again, join it again with an invitation. Otherwise another machine is "
        + "between this device and the broker.",
      retryAfterSeconds: 60, reason: "otherKey")
  }

  /// The error for a TLS server that is no broker.
  var otherService: RecordsError {
    failure(
      "\(place) is not a broker: it is another service.",
      hint: "Check the port. The broker's is \(TLSDestination.standardPort), unless its setting "
        + "“listen” has another.")
  }

  /// The error for a peer that does not answer.
  var silent: RecordsError { failure("\(place) does not answer.") }

  /// The error for a peer that ended the connection before the handshake was complete.
  var ended: RecordsError { failure("\(place) ended the connection during the handshake.") }

  private var place: String {
    HostAndPort(host: destination.host, port: destination.port).description
  }

  private func failure(_ sentence: String, hint: String = "") -> RecordsError {
    RecordsError(.networkUnavailable, sentence, hint: hint, retryAfterSeconds: 5)
  }
}
