// Devices on other machines, over TLS, as real processes on the loopback interface.

import Foundation
import Glibc
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("R1, R2, R3 devices over TLS")
  struct TLSTests {
    private struct Status: Decodable {
      let state: String
      let broker: String?
      let connectionError: String?
    }

    private func status(_ device: Device) async throws -> Status {
      let result = try await device.control("status", "--json")
      return try JSONDecoder().decode(Status.self, from: Data(result.output.utf8))
    }

    private func reason(_ device: Device, contains text: String) async throws {
      var words = ""
      try await Patience.wait(until: "\(device.name) to say “\(text)”") {
        words = try await status(device).connectionError ?? ""
        return words.contains(text)
      }
    }

    @Test func `an invited device has the account's contacts, and edits travel both ways`()
      async throws
    {
      let (broker, desktop) = try await RemoteBroker.household()
      _ = try await desktop.control("add", "--first", "Signe")
      let laptop = try await broker.joined("laptop")
      #expect(try await status(laptop).broker == "tls://\(broker.address)")
      #expect(try await laptop.control("list").output.contains("Signe"))
      _ = try await laptop.control("add", "--first", "Torsten")
      _ = try await Agreement.wait(among: [desktop.requests, laptop.requests])
      #expect(try await desktop.control("list").output.contains("Torsten"))
    }

    @Test func `a device that joined invites the next one, at the address that it uses`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let invitation = try await laptop.control("devices", "invite")
      #expect(invitation.status == 0, "\(invitation.error)")
      let link = invitation.output.trimmingCharacters(in: .newlines)
      #expect(link.hasPrefix("contacts-device:") && link.hasSuffix("@\(broker.address)"))
      let phone = try await Device("phone", account: nil, brokerPath: nil)
      #expect(try await phone.control("signin", link, "--yes").status == 0)
      _ = try await Agreement.wait(among: [laptop.requests, phone.requests])
      try await Patience.wait(until: "the laptop to list three devices") {
        try await laptop.control("devices").rows.count == 3
      }
    }

    @Test func `without a port there are no invitations, and the sentence says what to do`()
      async throws
    {
      let broker = try await RunningBroker()
      let desktop = try await Device("desktop", brokerPath: broker.socketPath)
      try await desktop.settles()
      let result = try await desktop.control("devices", "invite")
      #expect(result.status == 65 && result.error.contains("contacts-broker-tls.socket"))
    }

    @Test func `edits made while the broker is away arrive once it is back`() async throws {
      let (broker, desktop) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      try await broker.broker.kill()
      try await reason(laptop, contains: "refuses connections")
      for name in ["Asta", "Birk"] {
        #expect(try await laptop.control("add", "--first", name).status == 0)
      }
      try await broker.broker.restart()
      #expect(try await laptop.control("sync", "--wait=60").status == 0)
      _ = try await Agreement.wait(among: [desktop.requests, laptop.requests])
      #expect(try await desktop.control("list").output.contains("Birk"))
    }

    @Test func `a device's own contacts come along, or go, as its person says`() async throws {
      let (broker, desktop) = try await RemoteBroker.household()
      let laptop = try await Device("laptop", account: nil, brokerPath: nil)
      _ = try await laptop.control("add", "--first", "Eskil")
      let link = try await broker.invite().link
      let refused = try await laptop.control("signin", link, "--yes")
      #expect(refused.status == 65 && refused.error.contains("already has a contact"))
      #expect(refused.error.contains("--bring") && refused.error.contains("--replace"))
      #expect(try await laptop.control("signin", link, "--yes", "--bring").status == 0)
      _ = try await Agreement.wait(among: [desktop.requests, laptop.requests])
      #expect(try await desktop.control("list").output.contains("Eskil"))

      let phone = try await Device("phone", account: nil, brokerPath: nil)
      _ = try await phone.control("add", "--first", "Frida")
      let other = try await broker.invite().link
      #expect(try await phone.control("signin", other, "--yes", "--replace").status == 0)
      _ = try await Agreement.wait(among: [desktop.requests, phone.requests])
      #expect(!(try await phone.control("list").output.contains("Frida")))
      #expect(try await phone.control("list").output.contains("Eskil"))
    }

    // MARK: Invitations

    @Test
    func `a typed code joins, and a mistyped, used, expired or foreign one has its own sentence`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await Device("laptop", account: nil, brokerPath: nil)
      func signIn(_ arguments: String...) async throws -> (Int32, String) {
        let result = try await laptop.control(arguments: ["signin"] + arguments + ["--yes"])
        return (result.status, result.error)
      }
      let expired = try await broker.invite("ada", "--expires", "1s")
      let invitation = try await broker.invite()
      var wrong = Array(invitation.code)
      wrong[0] = wrong[0] == "0" ? "1" : "0"
      let mistyped = try await signIn(String(wrong), "--address", broker.address)
      #expect(mistyped.0 == 65 && mistyped.1.contains("typing error"))
      let nowhere = try await signIn(invitation.code)
      #expect(nowhere.0 == 65 && nowhere.1.contains("--address"))
      try await Task.sleep(for: .seconds(1.1))
      let late = try await signIn(expired.link)
      #expect(late.0 == 77 && late.1.contains("has expired"))
      let other = try await RemoteBroker()
      let foreign = try await signIn(invitation.code, "--address", other.address)
      #expect(foreign.1.contains("does not know this invitation"))
      #expect(try await signIn(invitation.code, "--address", broker.address).0 == 0)
      try await laptop.settles()
      let phone = try await Device("phone", account: nil, brokerPath: nil)
      let used = try await phone.control("signin", invitation.link, "--yes")
      #expect(used.status == 77 && used.error.contains("used by another device"))
      // The device that used it may repeat it, and keeps everything.
      #expect(try await signIn(invitation.link).0 == 0)
    }

    @Test func `a device that was started for another account does not use an invitation up`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let link = try await broker.invite().link
      let laptop = try await Device("laptop", account: "grace", brokerPath: nil)
      let result = try await laptop.control("signin", link, "--yes")
      #expect(result.status == 77 && result.error.contains("“grace”"))
      #expect(result.error.contains("“ada”"))
      let phone = try await Device("phone", account: nil, brokerPath: nil)
      #expect(try await phone.control("signin", link, "--yes").status == 0)
    }

    @Test func `the administrator reads what is missing`() async throws {
      let broker = try await RunningBroker()
      let state = broker.directory.file("state")
      let silent = try await Device.run("contacts-broker", ["invite", "ada", "--state", state])
      #expect(silent.status == 78 && silent.error.contains("“listen”"))
      let nobody = try await Device.run(
        "contacts-broker", ["invite", "ada", "--state", state, "--address", "server"])
      #expect(nobody.status == 65 && nobody.error.contains("no account “ada”"))
    }

    // MARK: Faults

    @Test func `a device that was revoked is refused and erased`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let whoami = try await laptop.control("whoami").output
      let id = try #require(
        whoami.split(separator: "\n").first { $0.hasPrefix("device") }?.split(separator: "\t").last)
      let result = try await Device.run(
        "contacts-broker", ["device", "revoke", String(id), "--state", broker.state])
      #expect(result.status == 0, "\(result.error)")
      try await Patience.wait(until: "the device to be erased") {
        try await laptop.control("list").output.split(separator: "\n").isEmpty
      }
    }

    @Test func `a broker with another key is not trusted, and nothing is sent to it`() async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      try await broker.broker.kill()
      let other = try await RemoteBroker(port: broker.port)
      _ = try await laptop.control("add", "--first", "Gudrun")
      try await reason(laptop, contains: "another key")
      #expect(try await laptop.control("status").output.contains("waiting edits\t1"))
      try await other.broker.kill()
      try await broker.broker.restart()
      #expect(try await laptop.control("sync", "--wait=90").status == 0)
    }

    @Test func `a machine in the middle cannot take part in a join, and gets no device's key`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let middle = try await MachineInTheMiddle(of: broker.port)
      let invitation = try await broker.invite()
      let laptop = try await Device("laptop", account: nil, brokerPath: nil)
      let address = "127.0.0.1:\(middle.port)"
      let result = try await laptop.control(
        "signin", invitation.code, "--address", address, "--yes")
      #expect(result.status == 77 && result.error.contains("proof of the invitation is wrong"))
      #expect(result.error.contains("Another machine may be between"))
      // Nothing was used up, and the direct way still works.
      #expect(
        try await laptop.control(
          "signin", invitation.code, "--address", broker.address, "--yes"
        ).status == 0)
      try await laptop.settles()
      try await middle.stop()
    }

    @Test(.enabled(if: access("/usr/bin/openssl", X_OK) == 0))
    func `only TLS 1.3 is spoken, with the broker's application protocol`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      func openssl(_ arguments: String) async throws -> Device.CommandResult {
        try await Device.run(
          "/bin/sh",
          ["-c", "sleep 1 | /usr/bin/openssl s_client -connect \(broker.address) \(arguments)"])
      }
      let old = try await openssl("-tls1_2")
      #expect((old.output + old.error).contains("protocol version"))
      let first = try await openssl("-alpn contacts/1")
      #expect(
        first.output.contains("TLSv1.3") && first.output.contains("ALPN protocol: contacts/1"))
    }

    @Test func `the port of another program has a sentence that says so`() async throws {
      let web = try OtherServer(answer: "HTTP/1.1 400 Bad Request\r\n\r\n")
      let ssh = try OtherServer(answer: "SSH-2.0-OpenSSH_9.6\r\n")
      let laptop = try await Device("laptop", account: nil, brokerPath: nil)
      let code = "0000-0000-0000-0000-0000-0000-00AZ"
      for (address, text) in [
        ("127.0.0.1:\(web.port)", "does not speak TLS"),
        ("127.0.0.1:\(ssh.port)", "does not speak TLS"),
        ("127.0.0.1:\(try LoopbackPort.unused())", "refuses connections"),
        ("no-such-host.invalid:7433", "cannot be found"),
      ] {
        let result = try await laptop.control("signin", code, "--address", address, "--yes")
        #expect(result.status == 75 && result.error.contains(text), "\(address): \(result.error)")
      }
    }

    @Test func `2,000 silent strangers do not keep a device away for two seconds`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      // Half of them come from the laptop's own address, the others from a network each.
      let strangers = try (0..<2000).map { index in
        let source = index < 1000 ? "127.0.0.1" : "127.1.\(index / 250).\(index % 250 + 1)"
        return try LoopbackPort.connect(to: broker.port, from: source)
      }
      defer { for stranger in strangers { close(stranger) } }
      var times: [Duration] = []
      // A machine that runs other tests may be slow for a moment.
      while times.count < 5, times.min() ?? .seconds(9) >= .seconds(2) {
        try await laptop.kill()
        let start = ContinuousClock.now
        try await laptop.restart()
        try await laptop.settles()
        times.append(ContinuousClock.now - start)
      }
      #expect(times.contains { $0 < .seconds(2) }, "\(times)")
      #expect(try await status(laptop).state == "live")
    }

    @Test func `a restored broker has its key, and its devices come back`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let late = try await Device("late", account: nil, brokerPath: nil)
      let backup = try TemporaryDirectory()
      let made = try await Device.run(
        "contacts-broker", ["backup", "--state", broker.state, backup.file("b")])
      #expect(made.status == 0, "\(made.error)")
      // A device that the backup does not know.
      #expect(try await late.control("signin", try await broker.invite().link, "--yes").status == 0)
      try await late.settles()
      _ = try await late.control("add", "--first", "Ingrid")
      try await late.settles()
      try await broker.broker.kill()
      let machine = try TemporaryDirectory()
      let restored = try await Device.run(
        "contacts-broker", ["restore", "--state", machine.file("state"), backup.file("b")])
      #expect(restored.status == 0, "\(restored.error)")
      _ = try await laptop.control("add", "--first", "Hedda")
      let next = try await RemoteBroker(in: machine, port: broker.port)
      #expect(try await laptop.control("sync", "--wait=90").status == 0)
      // It joins again, and brings what only it has.
      #expect(try await late.control("signin", try await next.invite().link, "--yes").status == 0)
      _ = try await Agreement.wait(among: [laptop.requests, late.requests])
      #expect(try await laptop.control("list").output.contains("Ingrid"))
    }
  }
}
