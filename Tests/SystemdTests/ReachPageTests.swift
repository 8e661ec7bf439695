// Follows docs/reach.md on three machines, as a household would after `make install`: a server, a laptop that
// reaches it over ssh, and a desktop that reaches it over TLS. Then their networks fail in several ways.

import Foundation
import Processes
import Records
import Testing

@Suite(
  "R1, R2, R3, R4, R5 a household as the page describes it", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: Container.obstacle == nil, "\(Container.obstacle ?? "")"), HouseholdTrait())
struct ReachPageTests {
  private let household: Household
  private let page: CommandPage

  init() throws {
    household = try #require(Household.current)
    page = try CommandPage("reach.md")
  }

  private var laptop: AgentRequests { requests(of: .laptop) }
  private var desktop: AgentRequests { requests(of: .desktop) }

  private func requests(of computer: Household.Computer) -> AgentRequests {
    household.container(of: computer).requests(
      at: "/run/user/\(Self.alice)/contactsd/contactsd.sock")
  }

  private static let alice = 1500

  /// Types a line of the page: as root if it says `sudo`, otherwise as alice.
  @discardableResult
  private func type(_ line: String, on container: Container) async throws -> String {
    guard !line.hasPrefix("sudo ") else {
      return try await container.shell(String(line.dropFirst("sudo ".count)))
    }
    let command = line.replacingOccurrences(of: "'", with: "'\\''")
    return try await container.shell(
      "XDG_RUNTIME_DIR=/run/user/\(Self.alice) runuser -u alice -- /bin/sh -c 'cd; \(command)'")
  }

  @Test func `a household connects its machines, and their networks may fail`() async throws {
    try await prepare()
    try await connectOverSSH()
    try await connectOverTLS()
    try await editOnEachOther()
    try await watchAnEdit()
    try await editTheSameContactOffline()
    for computer in Household.Computer.allCases {
      try await loseTheLink(of: computer)
      try await changeTheAddress(of: computer)
      try await loseAnswers(to: computer)
    }
    try await losePackets()
    try await removeTheLaptop()
  }

  /// What the page assumes: a user on each machine, who can sign in to the server with ssh.
  private func prepare() async throws {
    for container in [household.server, household.laptop, household.desktop] {
      try await container.shell(
        "useradd --uid \(Self.alice) --create-home --shell /bin/bash alice && loginctl enable-linger alice"
      )
    }
    try await household.server.shell("ssh-keygen -A && systemctl start ssh.service")
    try await type(
      "mkdir -m 700 .ssh && ssh-keygen -q -N '' -f .ssh/id_ed25519", on: household.laptop)
    let key = try await type("cat .ssh/id_ed25519.pub", on: household.laptop)
    try await type(
      "mkdir -m 700 .ssh && echo '\(key)' > .ssh/authorized_keys", on: household.server)
    try await type("ssh-keyscan -t ed25519 server > .ssh/known_hosts", on: household.laptop)
  }

  private func connectOverSSH() async throws {
    let blocks = page.blocks(of: "Over ssh")
    try #require(blocks.count >= 4)
    for line in blocks[0] { try await type(line, on: household.server) }
    let greeting = try await type(blocks[1][0], on: household.laptop)
    #expect(greeting.hasPrefix("contacts-broker connect 1"))
    try await household.laptop.write(
      blocks[2].joined(separator: "\n"), to: "/etc/contacts/contactsd.conf")
    for line in blocks[3].dropLast() { try await type(line, on: household.laptop) }
    try await isLive(.laptop)
    let status = try await type(try #require(blocks[3].last), on: household.laptop)
    #expect(status.hasPrefix("live"), "\(status)")
  }

  private func connectOverTLS() async throws {
    let blocks = page.blocks(of: "Over TLS")
    try #require(blocks.count >= 5)
    for line in blocks[0] { try await type(line, on: household.server) }
    let setting = blocks[1][0].replacingOccurrences(of: "home.example.org", with: "server")
    try #require(setting == "address = server")
    try await household.server.shell("echo '\(setting)' >> /etc/contacts/contacts-broker.conf")
    try await household.server.shell("systemctl restart contacts-broker.service")
    let first = try await type(try #require(blocks[3].first), on: household.server)
    #expect(first == "Account “grace” was added.\n")
    let graces = try await type(try #require(blocks[3].last), on: household.server)
    #expect(graces.hasSuffix("@server:7433\n"), "\(graces)")
    try #require(blocks[2] == ["contactsctl devices invite"])
    // The broker was started again, which ended the laptop's connection.
    try await isLive(.laptop)
    let link = try await type(blocks[2][0], on: household.laptop)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(link.hasSuffix("@server:7433"), "\(link)")
    try await type(blocks[4][0], on: household.desktop)
    let signIn = try #require(blocks[4].last)
    try #require(signIn == "contactsctl signin contacts-device:7K3M-…@server:7433")
    try await type("contactsctl signin \(link) --yes", on: household.desktop)
    try await isLive(.desktop)
    let status = try await type("contactsctl status", on: household.desktop)
    #expect(status.contains("tls://server\n"), "\(status)")
  }

  private func isLive(_ computer: Household.Computer) async throws {
    let agent = requests(of: computer)
    try await Patience.wait(until: "the \(computer) to be live") {
      (try? await agent.status())?.state == "live"
    }
  }

  /// What the demo shows: the first contacts, an edit that appears by itself, and edits on both sides that merge.
  private func editOnEachOther() async throws {
    _ = try await Agreement.wait(among: [laptop, desktop])
    #expect(try await desktop.contacts().count == 10)
    let ada = try await laptop.add(first: "Ada")
    try await Patience.wait(until: "Ada to appear on the desktop", within: .seconds(30)) {
      try await desktop.contact(ada) != nil
    }
    try await desktop.setCompany(of: ada, to: "Engines")
    try await Patience.wait(until: "the company to appear on the laptop", within: .seconds(30)) {
      try await laptop.contact(ada)?.company == "Engines"
    }
  }

  /// An edit on one machine shows in the other's `watch`, in both directions.
  private func watchAnEdit() async throws {
    for (watcher, editor) in [(household.desktop, laptop), (household.laptop, desktop)] {
      let earlier = try await editor.add(first: "Earlier")
      let watch = try watcher.start([
        "/usr/bin/env", "XDG_RUNTIME_DIR=/run/user/\(Self.alice)", "runuser", "-u", "alice", "--",
        "contactsctl", "watch", "--since", "0", "--plain",
      ])
      try await Patience.wait(until: "the watch to begin") {
        watch.lines.contains { $0.contains(earlier) }
      }
      let id = try await editor.add(first: "Watched")
      try await Patience.wait(until: "the watch to show \(id)", within: .seconds(10)) {
        watch.lines.contains { $0.contains(id) }
      }
      try await watcher.shell("pkill -x contactsctl")
      _ = try await watch.end()
    }
  }

  /// Without a network, both machines edit the same contact, each another field. Both edits survive.
  private func editTheSameContactOffline() async throws {
    let id = try await laptop.add(first: "Lise")
    _ = try await Agreement.wait(among: [laptop, desktop])
    for computer in Household.Computer.allCases {
      try await household.container(of: computer).shell("ip link set eth0 down")
    }
    try await laptop.setCompany(of: id, to: "Physics")
    try await type("contactsctl edit \(id) --last Meitner", on: household.desktop)
    #expect(try await desktop.contact(id)?.company == "")
    for computer in Household.Computer.allCases {
      try await household.container(of: computer).shell("ip link set eth0 up")
    }
    let contacts = try await Agreement.wait(among: [laptop, desktop])
    let merged = try #require(contacts.first { $0.id == id })
    #expect(merged.company == "Physics" && merged.lastName == "Meitner", "\(merged)")
  }

  /// Edits made without a network on both sides arrive when it is back, at once.
  private func loseTheLink(of computer: Household.Computer) async throws {
    let container = household.container(of: computer)
    try await container.shell("ip link set eth0 down")
    try await Patience.wait(until: "the \(computer) to notice", within: .seconds(30)) {
      try await requests(of: computer).status().state != "live"
    }
    let here = try await laptop.add(first: "Laptop \(computer)")
    let there = try await desktop.add(first: "Desktop \(computer)")
    // Long enough for the wait between two attempts to become as long as it gets.
    try await Task.sleep(for: .seconds(60))
    try await container.shell("ip link set eth0 up")
    let start = ContinuousClock.now
    try await Patience.wait(until: "both to have both edits") {
      let found = (try await desktop.contact(here), try await laptop.contact(there))
      return found.0 != nil && found.1 != nil
    }
    // Without the sign of the network, the next attempt would come after a minute.
    #expect(ContinuousClock.now - start < .seconds(30))
    _ = try await Agreement.wait(among: [laptop, desktop])
  }

  /// A computer moves to another network, which leaves its connection without an address.
  private func changeTheAddress(of computer: Household.Computer) async throws {
    let server = computer.movedServerAddress
    try await household.server.shell("ip address add \(server)/24 dev \(computer.link)")
    // The file is a mount, which cannot be replaced.
    try await household.container(of: computer).shell(
      """
      sed 's/^\(computer.serverAddress) server/\(server) server/' /etc/hosts > /tmp/hosts
      cat /tmp/hosts > /etc/hosts
      ip address flush dev eth0
      ip address add \(computer.movedAddress)/24 dev eth0
      """)
    let id = try await requests(of: computer).add(first: "Moved \(computer)")
    try await Patience.wait(until: "the edit to arrive from the new address", within: .seconds(40))
    {
      try await requests(of: computer.other).contact(id) != nil
    }
  }

  /// The server's answers no longer reach a computer, without a sign of it: it finds out, and nothing is lost.
  private func loseAnswers(to computer: Household.Computer) async throws {
    let route = "blackhole \(computer.movedAddress)/32"
    try await household.server.shell("ip route add \(route)")
    let id = try await requests(of: computer).add(first: "Unanswered \(computer)")
    try await Patience.wait(until: "the \(computer) to miss heartbeats", within: .seconds(40)) {
      try await requests(of: computer).status().state != "live"
    }
    try await household.server.shell("ip route del \(route)")
    _ = try await Agreement.wait(among: [laptop, desktop])
    #expect(try await requests(of: computer.other).contact(id) != nil)
  }

  /// A tenth of all packets are lost in each direction: edits and their answers arrive, only later.
  private func losePackets() async throws {
    let rule = "-i eth0 -m statistic --mode random --probability 0.1 -j DROP"
    let answers = rule.replacing("-i eth0", with: "-o eth0")
    for container in [household.laptop, household.desktop] {
      try await container.shell(
        "iptables-legacy -A INPUT \(rule) && iptables-legacy -A OUTPUT \(answers)")
    }
    var ids: [String] = []
    var lost = 0
    // Forty packets may all arrive: once in seventy times they do.
    while lost == 0, ids.count < 400 {
      for number in 1...20 {
        ids.append(try await laptop.add(first: "Lost \(number)"))
        ids.append(try await desktop.add(first: "Found \(number)"))
      }
      _ = try await Agreement.wait(among: [laptop, desktop])
      lost = try await packetsLostOnTheWayToTheDesktop()
    }
    #expect(lost > 0)
    for id in ids { #expect(try await desktop.contact(id) != nil) }
    for container in [household.laptop, household.desktop] {
      try await container.shell("iptables-legacy -F")
    }
  }

  private func packetsLostOnTheWayToTheDesktop() async throws -> Int {
    let rules = try await household.desktop.shell("iptables-legacy -nvxL INPUT")
    let rule = try #require(rules.firstMatch(of: /\n +([0-9]+) .*DROP/), "\(rules)")
    return try #require(Int(rule.1))
  }

  private func removeTheLaptop() async throws {
    let blocks = page.blocks(of: "Over TLS")
    let lines = try #require(blocks.first { $0.contains("contactsctl devices") })
    let list = try await type(lines[0], on: household.desktop)
    let line = try #require(
      list.split(separator: "\n").first { !$0.contains("this device") && $0.contains("laptop") })
    let id = try #require(line.firstMatch(of: /^[0-9a-f]{6,32}/)).0
    #expect(list.contains("over TLS from") && list.contains("on the server or over ssh"), "\(list)")
    try #require(lines[1] == "contactsctl devices rm 9c0e1f")
    let command = "contactsctl devices rm \(id)"
    try await type("\(command) --yes", on: household.desktop)
    try await Patience.wait(until: "the laptop to be erased") {
      try await laptop.contacts().isEmpty
    }
  }
}
