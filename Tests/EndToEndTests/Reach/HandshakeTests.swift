// What the broker's port accepts before anything of the protocol is spoken, and what it logs about the rest.

import Foundation
import Glibc
import Processes
import Testing

extension EndToEnd {
  @Suite("R2 the broker's TLS")
  struct HandshakeTests {
    private static let openssl = "/usr/bin/openssl"
    private static let testssl = "/usr/bin/testssl"

    private func client(
      of broker: RemoteBroker, _ arguments: String
    ) async throws -> Device.CommandResult {
      try await Device.run(
        "/bin/sh",
        ["-c", "sleep 2 | \(Self.openssl) s_client -connect \(broker.address) \(arguments)"])
    }

    @Test(.enabled(if: access(openssl, X_OK) == 0))
    func `TLS 1.3 with the broker's application protocol is spoken`() async throws {
      let broker = try await RemoteBroker()
      let accepted = try await client(of: broker, "-alpn contacts/1")
      #expect(
        accepted.output.contains("TLSv1.3") && accepted.output.contains("ALPN protocol: contacts/1")
      )
      #expect(!broker.hasLogged("TLS handshake failed"))
    }

    @Test(.enabled(if: access(openssl, X_OK) == 0))
    func `TLS 1.2 is refused and logged`() async throws {
      let broker = try await RemoteBroker()
      let old = try await client(of: broker, "-tls1_2")
      #expect((old.output + old.error).contains("protocol version"))
      try await broker.logs("TLS handshake failed", "reason=oldTLS")
    }

    @Test(.enabled(if: access(openssl, X_OK) == 0), arguments: ["-alpn http/1.1", ""])
    func `a client of another application protocol is disconnected and logged`(
      options: String
    ) async throws {
      let broker = try await RemoteBroker()
      let start = ContinuousClock.now
      let other = try await client(of: broker, options)
      #expect(other.output.contains("No ALPN negotiated"), "\(other)")
      try await broker.logs("TLS handshake failed", "reason=otherProtocol")
      // The broker ended it: the client's input would have lasted longer.
      #expect(ContinuousClock.now - start < .seconds(60))
      #expect(other.output.contains("closed") || other.error.contains("closed"), "\(other)")
    }

    @Test func `bytes that are not TLS, and a client that leaves, are logged`() async throws {
      let broker = try await RemoteBroker()
      let junk = try LoopbackPort.connect(to: broker.port)
      let text = Array("GET / HTTP/1.1\r\n\r\n".utf8)
      #expect(send(junk, text, text.count, Int32(MSG_NOSIGNAL)) == text.count)
      try await broker.logs("TLS handshake failed", "reason=notTLS")
      close(junk)
      close(try LoopbackPort.connect(to: broker.port))
      try await broker.logs("TLS handshake failed", "reason=ended")
    }

    @Test(
      .enabled(if: access(testssl, X_OK) == 0, "Debian's package testssl.sh brings it."),
      .timeLimit(.minutes(5)))
    func `testssl finds TLS 1.3 and nothing older`() async throws {
      let broker = try await RemoteBroker()
      let file = broker.broker.directory.file("testssl.csv")
      let result = try await Device.run(
        Self.testssl,
        [
          "--protocols", "--openssl-timeout", "5", "--connect-timeout", "5", "--quiet", "--color",
          "0", "--csvfile", file, "127.0.0.1:\(broker.port)",
        ])
      let rows = String(decoding: broker.broker.directory.bytes(of: "testssl.csv"), as: UTF8.self)
        .split(separator: "\n").map { $0.split(separator: "\",\"").map(String.init) }
      func finding(_ id: String) -> String? {
        rows.first { $0.first == "\"\(id)" }.flatMap { $0.count > 4 ? $0[4] : nil }
      }
      for id in ["SSLv2", "SSLv3", "TLS1", "TLS1_1", "TLS1_2"] {
        #expect(finding(id)?.hasPrefix("not offered") == true, "\(id): \(result.output)")
      }
      #expect(finding("TLS1_3")?.hasPrefix("offered") == true, "\(result.output)")
    }
  }
}
