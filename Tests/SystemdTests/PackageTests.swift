// The Debian package in a booted systemd: installed, used, upgraded, removed, installed again and purged. The
// users' data survives all of it. The test runs if PACKAGE names a package: `make test-package`.

import Foundation
import Processes
import Records
import Testing

@Suite(
  "B7 the Debian package", .serialized, .timeLimit(.minutes(10)),
  .enabled(
    if: Container.package != nil,
    "PACKAGE names no package; make test-package makes one."),
  .enabled(if: Container.obstacle == nil, "\(Container.obstacle ?? "")"),
  ContainerTrait(package: Container.package))
struct PackageTests {
  private let container: Container
  private let broker = "contacts-broker.service"
  private let kept = "/var/lib/contacts-broker/broker.sqlite"

  init() throws {
    container = try #require(Container.current)
  }

  private var agents: [AgentRequests] { ["laptop", "phone"].map { container.requests(of: $0) } }

  private func apt(_ arguments: String) async throws {
    try await container.shell("DEBIAN_FRONTEND=noninteractive apt-get --yes --quiet=2 \(arguments)")
  }

  private func state(of unit: String) async throws -> String {
    try await container.property("ActiveState", of: unit)
  }

  private func exists(_ path: String) async throws -> Bool {
    try await container.run("test", "-e", path).status == 0
  }

  @Test func `a package is installed, used, upgraded, removed and purged`() async throws {
    try await apt("install /var/cache/contacts.deb")
    #expect(try await state(of: "contacts-broker.socket") == "active")
    #expect(
      try await container.run("systemctl", "is-enabled", "contacts-broker.socket").status == 0)
    #expect(try await container.run("man", "--where", "contactsctl").status == 0)
    #expect(try await opensLinks())
    let id = try await twoDevicesAgree()
    try await joinOverTLS(id)
    try await upgrade(id)
    try await remove()
    try await apt("install /var/cache/contacts.deb")
    try await container.shell("systemctl start contactsd@laptop contactsd@phone")
    #expect(try await agents[1].contact(id)?.firstName == "Ada")
    _ = try await Agreement.wait(among: agents)
    try await purge()
  }

  /// Whether the installed desktop entry starts an installed program.
  private func opensLinks() async throws -> Bool {
    let program = try await container.shell(
      "sed -n 's/^Exec=\\([^ ]*\\) .*/\\1/p' /usr/share/applications/contacts-link.desktop")
    let path = program.trimmingCharacters(in: .whitespacesAndNewlines)
    return try await container.run("test", "-x", path).status == 0
  }

  /// Sets up two devices as docs/operations.md says. Returns a contact that both have.
  private func twoDevicesAgree() async throws -> String {
    for device in ["laptop", "phone"] {
      let settings = "/etc/contactsd/\(device).conf"
      try await container.shell(
        "install -m 600 /usr/share/doc/contacts/device.conf \(settings)"
          + " && sed -i 's/^device = .*/device = \(device)/' \(settings)")
    }
    try await container.admit(["laptop", "phone"], to: "alice")
    try await container.shell("systemctl enable --quiet --now contactsd@laptop contactsd@phone")
    let socket = "--agent /run/contactsd/phone/contactsd.sock"
    let watch = try container.start(
      ["contactsctl"] + socket.split(separator: " ").map(String.init) + ["watch", "--plain"])
    try await Task.sleep(for: .milliseconds(500))
    let id = try await agents[0].add(first: "Ada")
    try await Patience.wait(until: "the phone's watch to show \(id)") {
      watch.lines.contains { $0.contains(id) }
    }
    try await container.shell("pkill -x contactsctl")
    _ = try await watch.end()
    return id
  }

  /// Opens the port with the package's socket, and joins with a third device, as docs/reach.md says.
  private func joinOverTLS(_ id: String) async throws {
    try await container.shell(
      """
      ip link set lo up
      systemctl stop contacts-broker.socket contacts-broker.service
      systemctl enable --quiet --now contacts-broker-tls.socket contacts-broker.socket
      """)
    _ = try await Agreement.wait(among: agents)
    let account = try await container.shell(
      "contactsctl --agent /run/contactsd/laptop/contactsd.sock --plain whoami | head -n 1")
    let name = try #require(account.split(separator: "\t").dropFirst().first)
    let link = try await container.shell(
      "contacts-broker invite \(name) --state /var/lib/contacts-broker --address localhost")
    try await container.shell(
      """
      set -e
      useradd --create-home remote
      systemd-run --quiet --unit=remote --uid=remote --property=RuntimeDirectory=remote \
        contactsd --state /home/remote/state --socket /run/remote/s --broker tls://localhost
      """)
    let remote = container.requests(at: "/run/remote/s")
    try await Patience.wait(until: "the agent to answer") { (try? await remote.status()) != nil }
    try await container.shell(
      "contactsctl --agent /run/remote/s signin \(link.trimmingCharacters(in: .newlines)) --yes")
    _ = try await Agreement.wait(among: agents + [remote])
    #expect(try await remote.contact(id)?.firstName == "Ada")
    try await container.shell("systemctl stop remote")
  }

  /// Upgrades to a package with a higher version, like a later release.
  private func upgrade(_ id: String) async throws {
    let settings = "/etc/contacts/contacts-broker.conf"
    try await container.shell("echo '# the administrator was here' >> \(settings)")
    let before = try await container.property("MainPID", of: broker)
    try await container.shell(
      "dpkg-deb --raw-extract /var/cache/contacts.deb /var/cache/next"
        + " && sed -i 's/^Version: .*/&+next/' /var/cache/next/DEBIAN/control"
        + " && dpkg-deb --build -Znone /var/cache/next /var/cache/next.deb")
    try await apt("install /var/cache/next.deb")
    let version = try await container.shell("dpkg-query --show --showformat '${Version}' contacts")
    #expect(version.hasSuffix("+next"))
    #expect(try await container.property("MainPID", of: broker) != before)
    for device in ["laptop", "phone"] {
      #expect(try await state(of: "contactsd@\(device)") == "active")
    }
    _ = try await Agreement.wait(among: agents)
    #expect(try await agents[1].contact(id)?.firstName == "Ada")
    #expect(try await container.shell("tail -n 1 \(settings)").contains("was here"))
  }

  private func remove() async throws {
    try await apt("remove contacts")
    for unit in [broker, "contacts-broker.socket", "contactsd@laptop", "contactsd@phone"] {
      #expect(try await state(of: unit) == "inactive", "\(unit)")
    }
    #expect(try await !exists("/usr/bin/contacts-broker"))
    #expect(try await exists(kept))
    #expect(try await exists("/var/lib/contactsd/laptop/contacts.sqlite"))
    #expect(try await exists("/etc/contacts/contacts-broker.conf"))
  }

  private func purge() async throws {
    try await apt("purge contacts")
    #expect(try await !exists("/etc/contacts/contacts-broker.conf"))
    #expect(try await exists(kept), "a purge keeps user data")
    #expect(try await exists("/etc/contactsd/laptop.conf"), "the file is not part of the package")
    #expect(try await container.run("systemctl", "list-units", "--failed", "--quiet").output == "")
    let left = try await container.shell(
      "find /etc/systemd/system -name 'contact*' | sort | tr '\\n' ' '")
    #expect(left == "", "no unit remains enabled")
  }
}
