// Devices that reach their broker through a real ssh server.

import Foundation
import Glibc
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite(
    "R1 devices over ssh", .enabled(if: SSHServer.obstacle == nil, "\(SSHServer.obstacle ?? "")"))
  struct SSHTests {
    private struct Status: Decodable {
      let state: String
      let broker: String?
      let connectionError: String?
    }

    private func status(_ device: Device) async throws -> Status {
      let result = try await device.control("status", "--json")
      return try JSONDecoder().decode(Status.self, from: Data(result.output.utf8))
    }

    private func address(_ server: SSHServer, _ broker: RunningBroker) -> String {
      "ssh://\(NSUserName())@127.0.0.1:\(server.port)\(broker.socketPath)"
    }

    private func device(
      _ name: String, _ server: SSHServer, _ broker: RunningBroker
    ) async throws -> Device {
      try await Device(
        name, brokerPath: address(server, broker), environment: server.environment)
    }

    /// Waits until the device says why it is not connected, and returns its words.
    private func reason(_ device: Device, contains text: String) async throws -> String {
      var words = ""
      try await Patience.wait(until: "\(device.name) to say “\(text)”") {
        words = try await status(device).connectionError ?? ""
        return words.contains(text)
      }
      return words
    }

    @Test func `an edit travels from a device over ssh to a local one, and back`() async throws {
      let broker = try await RunningBroker()
      let server = try await SSHServer()
      let local = try await Device("desktop", brokerPath: broker.socketPath)
      let remote = try await device("laptop", server, broker)
      try await remote.settles()
      try await local.settles()
      #expect(try await status(remote).broker == address(server, broker))
      let added = try await remote.control("add", "--first", "Signe", "--json")
      #expect(added.status == 0, "\(added.error)")
      let found = try await local.control("sync", "--wait=10")
      #expect(found.status == 0, "\(found.error)")
      #expect(try await local.control("list").output.contains("Signe"))
      _ = try await local.control("add", "--first", "Torsten")
      _ = try await Agreement.wait(among: [local.requests, remote.requests])
      #expect(try await remote.control("list").output.contains("Torsten"))
    }

    @Test func `edits made while the server is away arrive once it is back`() async throws {
      let broker = try await RunningBroker()
      let server = try await SSHServer()
      let local = try await Device("desktop", brokerPath: broker.socketPath)
      let remote = try await device("laptop", server, broker)
      try await remote.settles()
      server.stop()
      try await Patience.wait(until: "the device to be offline") {
        try await status(remote).state != "live"
      }
      _ = try await reason(remote, contains: "Connection refused")
      for name in ["Asta", "Birk", "Dag"] {
        #expect(try await remote.control("add", "--first", name).status == 0)
      }
      try await server.start()
      #expect(try await remote.control("sync", "--wait=60").status == 0)
      _ = try await Agreement.wait(among: [local.requests, remote.requests])
      let list = try await local.control("list").output
      for name in ["Asta", "Birk", "Dag"] { #expect(list.contains(name)) }
      #expect(try await status(remote).connectionError == nil)
    }

    @Test func `a key that is limited to the command suffices`() async throws {
      let broker = try await RunningBroker()
      let server = try await SSHServer()
      let command = "contacts-broker connect --socket \(broker.socketPath)"
      let line = "restrict,command=\"\(command)\" \(try server.publicKey("client_key"))\n"
      try server.directory.write(Array(line.utf8), to: "authorized_keys")
      try await device("laptop", server, broker).settles()
    }

    @Test func `a greeting of the server's shell is skipped`() async throws {
      let broker = try await RunningBroker()
      let server = try await SSHServer(settings: [
        "ForceCommand printf 'Welcome!\\nYou have mail. '; eval \"$SSH_ORIGINAL_COMMAND\""
      ])
      let laptop = try await device("laptop", server, broker)
      try await laptop.settles()
      let line =
        "the shell on the server prints text host=127.0.0.1 text=\"Welcome! You have mail.\""
      #expect(laptop.agent.standardError.contains(line), "\(laptop.agent.standardError)")
      // Once, also if the device connects again.
      try await broker.kill()
      _ = try await reason(laptop, contains: "reports")
      try await broker.restart()
      #expect(try await laptop.control("sync", "--wait=60").status == 0)
      #expect(laptop.agent.standardError.components(separatedBy: "prints text").count == 2)
    }

    @Test func `a shell that does not start the command is quoted`() async throws {
      let broker = try await RunningBroker()
      let server = try await SSHServer(settings: [
        "ForceCommand echo This account is not available.; exit 1"
      ])
      let words = try await reason(device("laptop", server, broker), contains: "not available")
      #expect(words.hasPrefix("The shell on “127.0.0.1” printed “This account is not available.”"))
    }

    @Test func `a shell that prints without end is cut off`() async throws {
      let broker = try await RunningBroker()
      let server = try await SSHServer(settings: ["ForceCommand yes nonsense"])
      let words = try await reason(device("laptop", server, broker), contains: "nonsense")
      #expect(words.utf8.count < 600)
    }

    @Test func `a server whose key is not the known one is refused with ssh's words`()
      async throws
    {
      let broker = try await RunningBroker()
      let server = try await SSHServer()
      try await server.makeKey("other_key")
      try server.trustServer(key: server.publicKey("other_key"))
      let remote = try await device("laptop", server, broker)
      let words = try await reason(remote, contains: "verification failed")
      #expect(words.contains("ssh cannot connect to “127.0.0.1”: Host key verification failed."))
      #expect(words.contains("ssh -T"))
      let doctor = try await remote.control("doctor")
      #expect(doctor.output.contains("Host key verification failed."))
      try server.trustServer(key: server.publicKey("host_key"))
      #expect(try await remote.control("sync", "--wait=60").status == 0)
    }

    @Test func `a key that the server does not accept is named`() async throws {
      let broker = try await RunningBroker()
      let server = try await SSHServer()
      try server.directory.write([], to: "authorized_keys")
      let words = try await reason(device("laptop", server, broker), contains: "denied")
      #expect(words.contains("Permission denied (publickey)"))
    }

    @Test func `a server without the program is distinguished from one without a broker`()
      async throws
    {
      let broker = try await RunningBroker()
      let bare = try await SSHServer(settings: ["SetEnv PATH=/usr/bin:/bin"])
      let words = try await reason(device("laptop", bare, broker), contains: "no command")
      #expect(words.contains("“127.0.0.1” has no command contacts-broker."))
      let server = try await SSHServer()
      try await broker.kill()
      let other = try await reason(device("phone", server, broker), contains: "reports")
      #expect(other.contains("No broker answers at “\(broker.socketPath)”"))
    }

    @Test func `a machine without ssh says so`() async throws {
      let broker = try await RunningBroker()
      let laptop = try await Device(
        "laptop", brokerPath: "ssh://server", environment: ["PATH": broker.directory.path])
      let words = try await reason(laptop, contains: "no program ssh")
      #expect(words.contains("apt install openssh-client"))
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `no ssh process outlives its agent`(signal: Int32) async throws {
      let broker = try await RunningBroker()
      let server = try await SSHServer()
      let remote = try await device("laptop", server, broker)
      try await remote.settles()
      let pattern = ["-f", "\(server.port) -- .*127.0.0.1"]
      #expect(try await Device.run("/usr/bin/pgrep", pattern).status == 0)
      remote.agent.send(signal)
      _ = try await remote.agent.end()
      try await Patience.wait(until: "ssh to end") {
        try await Device.run("/usr/bin/pgrep", pattern).status == 1
      }
    }

    @Test func `the second address is used while the first does not answer`() async throws {
      let broker = try await RunningBroker()
      let server = try await SSHServer()
      let missing = server.directory.file("none.sock")
      let remote = try await Device(
        "laptop", brokerPath: "\(missing), \(address(server, broker))",
        environment: server.environment)
      try await remote.settles()
      server.stop()
      let words = try await reason(remote, contains: "none of its addresses")
      #expect(words.contains(missing) && words.contains("Connection refused"))
    }
  }
}
