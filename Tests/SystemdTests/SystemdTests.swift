// The shipped units in a booted systemd: a broker and two devices of one person, laptop and phone. The tests
// run one at a time in one container; each leaves all units running and both devices in agreement.

import Foundation
import Processes
import Records
import Testing

@Suite(
  "B5, B6, I1 under systemd", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: Container.obstacle == nil, "\(Container.obstacle ?? "")"), ContainerTrait())
struct SystemdTests {
  private let container: Container
  private let broker = "contacts-broker.service"
  private let devices = ["laptop", "phone"]

  init() async throws {
    container = try #require(Container.current)
    try await Self.install(in: container)
  }

  /// Performs the steps that an operator takes after `make install`, see docs/operations.md.
  private static func install(in container: Container) async throws {
    guard try await container.run("test", "-e", "/etc/contactsd/phone.conf").status != 0 else {
      return
    }
    try await container.shell(
      "systemd-sysusers && systemd-tmpfiles --create && systemctl daemon-reload")
    // The default watchdog of half a minute is long for a test that freezes a broker.
    try await container.write(
      "[Service]\nWatchdogSec=3",
      to: "/etc/systemd/system/contacts-broker.service.d/test.conf")
    for device in ["laptop", "phone"] {
      try await container.write(
        "account = alice\ndevice = \(device)\nbroker = /run/contacts-broker/broker.sock",
        to: "/etc/contactsd/\(device).conf")
    }
    try await container.shell(
      "chmod 600 /etc/contactsd/*.conf && systemctl daemon-reload"
        + " && systemctl enable --quiet --now contacts-broker.socket")
    try await container.admit(["laptop", "phone"], to: "alice")
    try await container.shell("systemctl enable --quiet contactsd@laptop contactsd@phone")
  }

  private var agents: [AgentRequests] { devices.map { container.requests(of: $0) } }

  /// Starts both devices, which start the broker.
  private func start() async throws {
    try await container.shell("systemctl start contactsd@laptop contactsd@phone")
  }

  private func agreed() async throws -> [ContactRow] {
    try await Agreement.wait(among: agents)
  }

  /// Runs writers on both devices during `storm`, waits until the devices agree, and compares the writers'
  /// ledgers with what the devices show.
  private func nothingIsLost(during storm: () async throws -> Void) async throws {
    let before = try await agreed()
    let mark = UUID().uuidString.prefix(8)
    let ledgers = try await LedgerWriter.write(
      on: ["\(mark)l": agents[0], "\(mark)p": agents[1]], during: storm)
    let after = try await agreed()
    for ledger in ledgers {
      #expect(!ledger.companies.isEmpty)
      #expect(ledger.broken(in: after) == [])
    }
    #expect(Set(before.map(\.id)).isSubset(of: after.map(\.id)))
  }

  private func pid(of unit: String) async throws -> String {
    try await container.property("MainPID", of: unit)
  }

  // MARK: Start

  @Test func `the first device's connection starts the broker, and a ready agent answers`()
    async throws
  {
    try await container.shell("systemctl stop contactsd@laptop contactsd@phone \(broker)")
    #expect(try await container.property("ActiveState", of: broker) == "inactive")
    #expect(try await container.property("ActiveState", of: "contacts-broker.socket") == "active")
    // Type=notify: when systemctl returns, the agent answers.
    try await start()
    #expect(try await agents[0].contacts().count == 10)
    _ = try await agreed()
    #expect(try await container.property("ActiveState", of: broker) == "active")
    #expect(try await container.property("StatusText", of: broker).hasPrefix("Serving"))
    #expect(try await container.property("StatusText", of: "contactsd@phone") == "live")
  }

  @Test func `an edit on one device shows in the other's watch`() async throws {
    try await start()
    _ = try await agreed()
    let socket = "/run/contactsd/phone/contactsd.sock"
    let earlier = try await agents[0].add(first: "Earlier")
    let watch = try container.start(
      ["contactsctl", "--agent", socket, "watch", "--since", "0", "--plain"])
    try await Patience.wait(until: "the watch to begin") {
      watch.lines.contains { $0.contains(earlier) }
    }
    let id = try await container.shell(
      "contactsctl --agent /run/contactsd/laptop/contactsd.sock add --first Ada --plain"
    ).trimmingCharacters(in: .whitespacesAndNewlines)
    try await Patience.wait(until: "the phone's watch to show \(id)") {
      watch.lines.contains { $0.contains(id) }
    }
    try await container.shell("pkill -x contactsctl")
    _ = try await watch.end()
    #expect(try await agents[1].contact(id)?.firstName == "Ada")
  }

  @Test func `systemd opens the port, and a device joins over TLS at a broker without a network`()
    async throws
  {
    try await start()
    let state = "--state /var/lib/contacts-broker"
    let refused = try await container.run(
      "/bin/sh", "-c", "contacts-broker invite alice \(state)")
    #expect(refused.status == 78 && refused.error.contains("contacts-broker-tls.socket"))
    try await container.shell(
      """
      ip link set lo up
      systemctl stop contacts-broker.socket contacts-broker.service
      systemctl enable --quiet --now contacts-broker-tls.socket contacts-broker.socket
      """)
    try await start()
    _ = try await agreed()
    #expect(try await container.property("PrivateNetwork", of: broker) == "yes")
    let link = try await container.shell(
      "contacts-broker invite alice \(state) --address localhost")
    let agent = "contactsctl --agent /run/contactsd/remote/contactsd.sock"
    try await container.write(
      "device = remote\nbroker = tls://localhost", to: "/etc/contactsd/remote.conf")
    try await container.shell(
      """
      set -e
      chmod 600 /etc/contactsd/remote.conf
      install -D -m 644 /usr/local/share/doc/contacts/contactsd-network.conf \
        -t /etc/systemd/system/contactsd@remote.service.d
      systemctl daemon-reload
      systemctl start contactsd@remote
      \(agent) signin \(link.trimmingCharacters(in: .whitespacesAndNewlines)) --yes
      \(agent) sync --wait=20
      """)
    let status = try await container.shell("\(agent) status")
    #expect(status.hasPrefix("live") && status.contains("tls://localhost"), "\(status)")
    let exposure = try await container.run(
      "systemd-analyze", "security", "--threshold=15", "contactsd@remote.service")
    #expect(exposure.status == 0, "\(exposure.output.suffix(200))")
    try await container.shell("systemctl stop contactsd@remote")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/haproxy")))
  func `behind a proxy, the broker's unit logs the address of the client`() async throws {
    try await start()
    _ = try await agreed()
    let configuration = """
      defaults
        mode tcp
        timeout connect 5s
        timeout client 60s
        timeout server 60s
      listen contacts
        bind :7434
        server broker 127.0.0.1:7433 send-proxy-v2
      """
    try await container.write(configuration, to: "/etc/haproxy.cfg")
    try await container.shell(
      """
      set -e
      ip link set lo up
      ip address add 10.9.9.9/32 dev lo
      echo 'proxy = 127.0.0.1' >> /etc/contacts/contacts-broker.conf
      systemctl restart contacts-broker.service
      systemd-run --quiet --unit=proxy haproxy -db -f /etc/haproxy.cfg
      """)
    try await Patience.wait(until: "the broker to log the address of a client without TLS") {
      _ = try await container.run(
        "curl", "--silent", "--max-time", "5", "http://10.9.9.9:7434/")
      let lines = try await container.shell(
        "journalctl --unit=contacts-broker --no-pager NETWORK=10.9.9.9")
      return lines.contains("TLS handshake failed")
    }
    let link = try await container.shell(
      "contacts-broker invite alice --state /var/lib/contacts-broker --address 10.9.9.9:7434")
    let agent = "contactsctl --agent /run/contactsd/remote/contactsd.sock"
    try await container.write(
      "device = remote\nbroker = tls://10.9.9.9:7434", to: "/etc/contactsd/remote.conf")
    try await container.shell(
      """
      set -e
      systemctl start contactsd@remote
      \(agent) signout --yes --discard
      \(agent) signin \(link.trimmingCharacters(in: .whitespacesAndNewlines)) --yes
      \(agent) sync --wait=20
      \(agent) status | grep '10.9.9.9:7434'
      systemctl stop contactsd@remote proxy
      sed -i '/^proxy = /d' /etc/contacts/contacts-broker.conf
      systemctl restart contacts-broker.service
      """)
    _ = try await agreed()
  }

  @Test func `state, sockets and settings have the right owners and modes`() async throws {
    try await start()
    let output = try await container.shell(
      "stat -c '%U %a' /var/lib/contacts-broker /var/lib/contacts-broker/broker.sqlite"
        + " /var/lib/contactsd/laptop /run/contactsd/phone/contactsd.sock"
        + " && stat -c '%G %a' /run/contacts-broker/broker.sock && stat -c '%U %a' /etc/passwd")
    #expect(
      output == """
        contacts-broker 700
        contacts-broker 600
        contactsd-laptop 700
        contactsd-phone 600
        contacts 660
        root 644

        """)
    // Root owns the settings; systemd passes the agent its file as a credential.
    #expect(try await container.shell("stat -c '%U %a' /etc/contactsd/phone.conf") == "root 600\n")
  }

  // MARK: Stops and faults

  @Test func `a restart under load loses nothing`() async throws {
    try await start()
    try await nothingIsLost {
      for _ in 1...3 {
        try await Task.sleep(for: .milliseconds(300))
        try await container.shell("systemctl restart \(broker)")
      }
      try await container.shell("systemctl restart contactsd@phone")
    }
    #expect(try await container.property("Result", of: broker) == "success")
  }

  @Test func `broker and devices that are killed restart and lose nothing`() async throws {
    try await start()
    let before = try await pid(of: broker)
    try await nothingIsLost {
      for unit in [broker, "contactsd@laptop", "contactsd@phone", broker] {
        try await Task.sleep(for: .milliseconds(500))
        try await Patience.wait(until: "\(unit) to run") { try await pid(of: unit) != "0" }
        try await container.shell("systemctl kill --kill-whom=main --signal=KILL \(unit)")
      }
      try await Task.sleep(for: .seconds(2))
    }
    #expect(try await pid(of: broker) != before)
  }

  @Test func `the watchdog ends a frozen broker and restarts it`() async throws {
    try await start()
    _ = try await agreed()
    let before = try await pid(of: broker)
    try await nothingIsLost {
      try await container.shell("systemctl kill --kill-whom=main --signal=STOP \(broker)")
      try await Patience.wait(until: "the watchdog to end the broker") {
        let now = try await pid(of: broker)
        return now != before && now != "0"
      }
    }
    let journal = try await container.shell("journalctl --no-pager -u \(broker)")
    #expect(journal.contains("Watchdog timeout"))
  }

  @Test func `a full disk delays edits and loses none`() async throws {
    try await start()
    let filler = "/var/lib/contacts-broker/filler"
    try await nothingIsLost {
      // Fills the disk to the last page.
      _ = try await container.run(
        "/bin/sh", "-c", "dd if=/dev/zero of=\(filler) bs=4096 2>/dev/null")
      try await Patience.wait(until: "edits to wait for the full disk") {
        try await agents[0].status().waitingEdits > 0
      }
      try await Task.sleep(for: .seconds(2))
      #expect(try await container.property("ActiveState", of: broker) == "active")
      try await container.shell("rm \(filler)")
    }
  }

  @Test func `after a reboot all units start and the devices agree`() async throws {
    try await start()
    try await nothingIsLost {
      // Long enough for both writers to write something.
      try await Task.sleep(for: .seconds(2))
      try await container.reboot()
    }
    #expect(try await container.property("ActiveState", of: "contactsd@laptop") == "active")
  }

  @Test func `a backup is made and restored as docs/operations.md says`() async throws {
    try await start()
    let id = try await agents[0].add(first: "Kept")
    _ = try await agreed()
    let state = "--state /var/lib/contacts-broker"
    try await container.shell("contacts-broker backup \(state) /var/backups/contacts")
    let late = try await agents[1].add(first: "Late")
    _ = try await agreed()
    // The state directory is a mount here, so it is emptied, where the page moves it away.
    try await container.shell(
      "systemctl stop contacts-broker.socket \(broker) && rm -r /var/lib/contacts-broker/*"
        + " && chown -R contacts-broker: /var/backups/contacts"
        + " && runuser -u contacts-broker -- "
        + "contacts-broker restore \(state) /var/backups/contacts"
        + " && systemctl start contacts-broker.socket")
    let contacts = try await agreed()
    #expect(contacts.count { $0.id == id } == 1)
    #expect(contacts.count { $0.id == late } == 1)
    let check = try await container.shell("contacts-broker check \(state)")
    #expect(check == "No faults found.\n")
  }

  // MARK: Access

  @Test func `the system units are tightly sandboxed`() async throws {
    // An exposure of 0.5. The agent with the network's drop-in may have 1.5 (above). So may the unit that writes /etc/passwd.
    for (unit, limit) in [
      (broker, 5), ("contactsd@laptop.service", 5), ("contactsd-user@laptop.service", 15),
    ] {
      let result = try await container.run(
        "systemd-analyze", "security", "--threshold=\(limit)", unit)
      #expect(result.status == 0, "\(result.output.suffix(200))")
    }
  }

  @Test func `the units of users are as tightly sandboxed as their manager can enforce`()
    async throws
  {
    try await start()
    for unit in ["contactsd.service", "contactsd@.service"] {
      let result = try await container.run(
        "systemd-analyze", "security", "--offline=true", "--threshold=22",
        "/usr/local/lib/systemd/user/\(unit)")
      #expect(result.status == 0, "\(result.output.suffix(200))")
    }
  }

  @Test func `an agent can neither read another agent's files nor sign in to its account`()
    async throws
  {
    try await start()
    for path in ["/var/lib/contactsd/laptop", "/run/contactsd/laptop"] {
      let result = try await container.run("runuser", "-u", "contactsd-phone", "--", "ls", path)
      #expect(result.status != 0 && result.error.contains("Permission denied"), "\(path)")
    }
    try await container.write(
      "account = alice\ndevice = thief", to: "/etc/contactsd/thief.conf")
    try await container.shell("systemctl start contactsd@thief")
    let thief = container.requests(of: "thief")
    try await Patience.wait(until: "the broker to refuse the thief") {
      try await container.run(
        "contactsctl", "--agent", "/run/contactsd/thief/contactsd.sock", "status"
      ).output.contains("account allow")
    }
    #expect(try await thief.status().state != "live")
    let setup = try await container.run(
      "contactsctl", "--agent", "/run/contactsd/thief/contactsd.sock", "setup")
    #expect(setup.output.contains("sudo contacts-broker account add"), "\(setup.output)")
    try await container.shell("systemctl stop contactsd@thief && rm /etc/contactsd/thief.conf")
  }

  @Test func `two users of the machine are two people, and a user without permission is refused`()
    async throws
  {
    try await start()
    // The port for other machines, which an earlier test opened, closes the accounts.
    try await container.shell(
      "echo 'accounts = open' >> /etc/contacts/contacts-broker.conf && systemctl reload \(broker)")
    var accounts: Set<String> = []
    for user in ["ann", "bob", "eve"] {
      let groups = user == "eve" ? "" : "--groups contacts"
      try await container.shell("useradd --create-home \(groups) \(user)")
      try await container.shell(
        "systemd-run --quiet --unit=\(user) --uid=\(user) --property=RuntimeDirectory=\(user) "
          + "contactsd --state /home/\(user)/state --socket /run/\(user)/s "
          + "--broker /run/contacts-broker/broker.sock")
      let agent = container.requests(at: "/run/\(user)/s")
      try await Patience.wait(until: "\(user)'s agent to answer") {
        guard let status = try? await agent.status() else { return false }
        return user == "eve" || status.state == "live"
      }
      guard user != "eve" else { continue }
      let account = try await container.shell(
        "contactsctl --agent /run/\(user)/s --plain whoami | head -n 1")
      #expect(account.hasPrefix("account\tuser-"))
      accounts.insert(account)
    }
    #expect(accounts.count == 2)
    #expect(try await container.requests(at: "/run/eve/s").status().state != "live")
    try await container.shell("systemctl stop ann bob eve")
  }
}
