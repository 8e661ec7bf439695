// Invitations for devices on other machines, as real processes.

import Foundation
import Glibc
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("R3 invitations")
  struct InvitationTests {
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
      for reason in ["expiredInvitation", "usedInvitation"] {
        try await broker.logs("request refused", "code=permissionFailure", "reason=\(reason)")
      }
      try await other.logs("request refused", "code=unknownItem", "reason=unknownInvitation")
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

    @Test func `a user's own account is invited by the user's name`() async throws {
      let broker = try await RemoteBroker()
      let desktop = try await Device(
        "desktop", account: nil, brokerPath: broker.broker.socketPath)
      try await desktop.settles()
      let user = String(cString: try #require(getpwuid(getuid())).pointee.pw_name)
      let invitation = try await broker.invite(user)
      let phone = try await Device("phone", account: nil, brokerPath: nil)
      let result = try await phone.control("signin", invitation.link, "--yes")
      #expect(result.status == 0, "\(result.error)")
      _ = try await Agreement.wait(among: [desktop.requests, phone.requests])
      let unknown = try await Device.run(
        "contacts-broker",
        ["invite", "no-such-user", "--state", broker.state, "--address", broker.address])
      #expect(unknown.status == 65 && unknown.error.contains("no account “no-such-user”"))
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

    @Test func `a person who guesses is limited, and a right invitation works all the same`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await Device("laptop", account: nil, brokerPath: nil)
      let (other, _) = try await RemoteBroker.household()
      let foreign = try await other.invite().code
      func guess() async throws -> Device.CommandResult {
        try await laptop.control("signin", foreign, "--address", broker.address, "--yes")
      }
      for _ in 1...5 {
        let unknown = try await guess()
        #expect(unknown.status == 66, "\(unknown.error)")
        #expect(unknown.error.contains("does not know this invitation"))
      }
      let limited = try await guess()
      #expect(limited.status == 75 && limited.error.contains("Too many invitations were tried."))
      try await broker.logs("request refused", "code=requestRateLimited", "reason=guessing")
      let link = try await broker.invite().link
      #expect(try await laptop.control("signin", link, "--yes").status == 0)
    }

    @Test func `addresses that do not answer delay a join by two seconds each`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      let silent = try (1...3).map { _ in try OtherServer(answer: nil) }
      let dead = silent.map { "127.0.0.1:\($0.port)" }
      let laptop = try await Device("laptop", account: nil, brokerPath: nil)
      let code = try await broker.invite().code
      let start = ContinuousClock.now
      let unreachable = try await laptop.control(
        "signin", code, "--address", dead.joined(separator: ","), "--yes")
      #expect(unreachable.status == 75 && unreachable.error.contains("does not answer"))
      #expect(ContinuousClock.now - start < .seconds(30))
      let next = ContinuousClock.now
      let joined = try await laptop.control(
        "signin", code, "--address", (dead + [broker.address]).joined(separator: ","), "--yes")
      #expect(joined.status == 0, "\(joined.error)")
      #expect(ContinuousClock.now - next < .seconds(20))
      try await laptop.settles()
    }

    /// Runs `contactsctl devices invite` on a terminal until it waits. Returns the link that it shows.
    private func invite(on device: Device) async throws -> (terminal: TerminalSession, link: String)
    {
      let terminal = try TerminalSession(
        RunningProgram.path(of: "contactsctl"), ["devices", "invite"],
        environment: ["CONTACTSD_SOCKET": device.socketPath], directory: device.directory.path)
      try await terminal.shows("Waiting for the device.")
      let link = try #require(
        terminal.shown.firstMatch(of: /contactsctl signin (contacts-device:\S+)/)
      ).1
      return (terminal, String(link))
    }

    @Test func `at a terminal, a person sees which device has joined, and how to remove it`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let (terminal, link) = try await invite(on: laptop)
      let phone = try await Device("phone", account: nil, brokerPath: nil)
      #expect(try await phone.control("signin", link, "--yes").status == 0)
      try await terminal.shows("“phone” has joined.")
      #expect(try await terminal.end() == 0)
      let id = try #require(
        terminal.shown.firstMatch(of: /To remove it: contactsctl devices rm ([0-9a-f]{6,32})/)
      ).1
      #expect(try await phone.control("whoami").output.contains("\t\(id)"))
      #expect(try await laptop.control("devices", "rm", String(id), "--yes").status == 0)
    }

    @Test func `a person may stop waiting, and the invitation stays valid`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      let laptop = try await broker.joined("laptop")
      let (terminal, link) = try await invite(on: laptop)
      terminal.type("\u{3}")
      _ = try await terminal.end()
      let phone = try await Device("phone", account: nil, brokerPath: nil)
      #expect(try await phone.control("signin", link, "--yes").status == 0)
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
      try await broker.logs("request refused", "code=permissionFailure", "reason=wrongProof")
      // Nothing was used up, and the direct way still works.
      #expect(
        try await laptop.control(
          "signin", invitation.code, "--address", broker.address, "--yes"
        ).status == 0)
      try await laptop.settles()
      try await middle.stop()
    }
  }
}
