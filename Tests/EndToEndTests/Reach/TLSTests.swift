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

    // MARK: Faults

    @Test func `a broker with another key is not trusted, and nothing is sent to it`() async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      try await broker.broker.kill()
      let other = try await RemoteBroker(port: broker.port)
      _ = try await laptop.control("add", "--first", "Gudrun")
      try await reason(laptop, contains: "another key")
      try await other.logs("TLS handshake failed", "reason=rejectedByClient")
      #expect(try await laptop.control("status").output.contains("waiting edits\t1"))
      try await other.broker.kill()
      try await broker.broker.restart()
      #expect(try await laptop.control("sync", "--wait=90").status == 0)
    }

    @Test(.enabled(if: OpenSSLClient.isInstalled))
    func `a device whose key was rotated continues with the new one, and the old one is refused`()
      async throws
    {
      let (broker, desktop) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let thief = try OpenSSLClient(of: laptop)
      let row = try #require(try await laptop.control("whoami").rows.first { $0[0] == "device" })
      let key = laptop.directory.file("key")
      let rotated = try await Device.run(
        "contacts-broker", ["device", "rotate-key", row[2], "-o", key, "--state", broker.state])
      #expect(rotated.status == 0, "\(rotated.error)")
      try await Patience.wait(until: "the laptop to say that its key was replaced") {
        try await laptop.control("status").output.contains("signin --key")
      }
      try await broker.logs("request refused", "code=notAuthenticated", "reason=wrongKey")
      #expect(try await laptop.control("add", "--first", "Unsent").status == 0)
      #expect(try await laptop.control("signin", "--key", key).status == 0)
      try await laptop.settles()
      _ = try await Agreement.wait(among: [desktop.requests, laptop.requests])
      #expect(try await desktop.control("list").output.contains("Unsent"))
      let refused = try await thief.talk(to: broker)
      #expect(refused.contains("wrongKey") && !refused.contains("desktop"), "\(refused)")
      try await laptop.settles()
    }

    @Test(.readsBrokerFile) func `a restored broker has its key, and its devices come back`()
      async throws
    {
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
