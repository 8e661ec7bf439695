// Ports that belong to other programs: what a person reads who signs in there, or whose settings name them.

import Foundation
import Glibc
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("R2 the port of another program")
  struct OtherServiceTests {
    private static let openssl = "/usr/bin/openssl"
    /// An invitation of no broker.
    private static let code = "0000-0000-0000-0000-0000-0000-00AZ"

    /// Programs that are no brokers.
    enum Service: String, CaseIterable {
      case web, ssh, closing, oldTLS, webOverTLS, anyTLS

      /// What it answers, if it does not speak TLS.
      var answer: String? {
        switch self {
        case .web: "HTTP/1.1 400 Bad Request\r\n\r\n"
        case .ssh: "SSH-2.0-OpenSSH_9.6\r\n"
        case .closing: ""
        case .oldTLS, .webOverTLS, .anyTLS: nil
        }
      }

      /// The options of a server that speaks TLS.
      var options: [String] {
        switch self {
        case .web, .ssh, .closing, .anyTLS: []
        case .oldTLS: ["-tls1_2"]
        case .webOverTLS: ["-alpn", "http/1.1"]
        }
      }

      /// What a person reads.
      var sentence: String {
        switch self {
        case .web, .ssh: "is not a broker: it does not speak TLS."
        case .closing: "ended the connection during the handshake."
        case .oldTLS: "does not support TLS 1.3."
        case .webOverTLS, .anyTLS: "is not a broker: it is another service."
        }
      }
    }

    /// A running server of another program.
    private struct Server {
      let port: Int
      private let plain: OtherServer?
      private let program: RunningProgram?

      init(_ service: Service, port: Int? = nil) async throws {
        if let answer = service.answer {
          let server = try OtherServer(answer: answer, port: port ?? 0)
          (self.port, plain, program) = (server.port, server, nil)
          return
        }
        let directory = try TemporaryDirectory()
        let made = try await Device.run(
          openssl,
          [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", "/CN=other", "-keyout", directory.file("key"), "-out", directory.file("cert"),
          ])
        #expect(made.status == 0, "\(made.error)")
        let number = try port ?? LoopbackPort.unused()
        let server = try RunningProgram(
          openssl,
          [
            "s_server", "-accept", "127.0.0.1:\(number)", "-key", directory.file("key"), "-cert",
            directory.file("cert"), "-www",
          ] + service.options)
        try await Patience.wait(until: "\(service) to listen") {
          server.standardOutput.contains("ACCEPT")
        }
        (self.port, plain, program) = (number, nil, server)
      }
    }

    @Test(.enabled(if: access(openssl, X_OK) == 0), arguments: Service.allCases)
    func `a person who signs in at another program's port reads what it is`(
      service: Service
    ) async throws {
      let server = try await Server(service)
      let laptop = try await Device("laptop", account: nil, brokerPath: nil)
      let result = try await laptop.control(
        "signin", Self.code, "--address", "127.0.0.1:\(server.port)", "--yes")
      #expect(result.status == 75 && result.error.contains(service.sentence), "\(result.error)")
    }

    @Test(.enabled(if: access(openssl, X_OK) == 0), arguments: Service.allCases)
    func `a device whose settings name the port shows what it is, and keeps its edits`(
      service: Service
    ) async throws {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await Device(
        "laptop", account: nil, brokerPath: "tls://\(broker.address)")
      let joined = try await laptop.control("signin", try await broker.invite().link, "--yes")
      #expect(joined.status == 0, "\(joined.error)")
      try await laptop.settles()
      try await broker.broker.kill()
      var server: Server? = try await Server(service, port: broker.port)
      #expect(server?.port == broker.port)
      _ = try await laptop.control("add", "--first", "Gudrun")
      // A server that completes the handshake shows its key first, and it is not the broker's.
      let sentence = service == .anyTLS ? "has another key" : service.sentence
      try await Patience.wait(until: "the status to say “\(sentence)”") {
        try await laptop.control("status").output.contains(sentence)
      }
      #expect(try await laptop.control("doctor").output.contains(sentence))
      #expect(try await laptop.control("status").output.contains("waiting edits\t1"))
      server = nil
      try await broker.broker.restart()
      #expect(try await laptop.control("sync", "--wait=90").status == 0)
    }

    @Test func `a port without a program, and a name without a host, have their sentences`()
      async throws
    {
      let laptop = try await Device("laptop", account: nil, brokerPath: nil)
      for (address, text) in [
        ("127.0.0.1:\(try LoopbackPort.unused())", "refuses connections"),
        // A part of a name has at most 63 characters, so no name server is asked, whose answer could be lost.
        ("\(String(repeating: "a", count: 64)).invalid:7433", "cannot be found"),
      ] {
        let result = try await laptop.control("signin", Self.code, "--address", address, "--yes")
        #expect(result.status == 75 && result.error.contains(text), "\(address): \(result.error)")
      }
    }
  }
}
