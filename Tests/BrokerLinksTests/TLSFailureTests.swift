import Glibc
import NIOCore
import NIOPosix
import Records
import Testing

@testable import BrokerLinks

@Suite("R1 why a connection over TLS failed")
struct TLSFailureTests {
  private struct Reported: Error, CustomStringConvertible {
    let description: String
  }

  private func failure(_ address: String = "server:80") throws -> TLSFailure {
    TLSFailure(destination: try TLSDestination(address: address))
  }

  @Test func `an error of the system says what is to be checked`() throws {
    let failure = try failure()
    let refused = failure.connecting(IOError(errnoCode: ECONNREFUSED, reason: "connect"))
    #expect(refused.message == "server:80 refuses connections.")
    #expect(refused.hint.contains("“listen”"))
    let unreachable = failure.connecting(IOError(errnoCode: ENETUNREACH, reason: "connect"))
    #expect(unreachable.message == "server:80 cannot be reached: Network is unreachable.")
    #expect(failure.connecting(ChannelError.connectTimeout(.seconds(1))) == failure.silent)
    #expect(
      failure.connecting(Reported(description: "odd")).message
        == "server:80 cannot be reached: odd.")
    let unknown = failure.connecting(SocketAddressError.unsupported)
    #expect(unknown.message == "The host “server” cannot be found.")
  }

  @Test(
    arguments: [
      ("TLSV1_ALERT_PROTOCOL_VERSION", "does not support TLS 1.3"),
      ("UNSUPPORTED_PROTOCOL", "does not support TLS 1.3"),
      ("NO_APPLICATION_PROTOCOL", "is another service"), ("WRONG_VERSION", "does not speak TLS"),
    ])
  func `an error of the handshake says what answers there`(text: String, part: String) throws {
    let error = try failure("[::1]:80").handshaking(Reported(description: text))
    #expect(error.message.hasPrefix("[::1]:80 "))
    #expect(error.message.contains(part))
    #expect(error.code == .networkUnavailable)
    #expect(error.retryAfterSeconds == 5)
  }

  @Test func `an error with its own words keeps them, and a lost connection is no other service`()
    throws
  {
    let failure = try failure()
    #expect(failure.handshaking(failure.otherKey) == failure.otherKey)
    #expect(failure.handshaking(IOError(errnoCode: ECONNRESET, reason: "read")) == failure.ended)
    #expect(failure.otherKey.code == .permissionFailure)
    #expect(failure.otherKey.reason == "otherKey")
  }
}
