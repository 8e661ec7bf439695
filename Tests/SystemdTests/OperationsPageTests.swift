// Runs the commands of docs/operations.md in order, as an operator would after `make install`. PackageTests
// tests what a package adds.

import Foundation
import Processes
import Records
import Testing

@Suite(
  "B5, B6, I23 operations as the page describes them", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: Container.obstacle == nil, "\(Container.obstacle ?? "")"), ContainerTrait())
struct OperationsPageTests {
  private let container: Container
  private let page: CommandPage

  init() throws {
    container = try #require(Container.current)
    page = try CommandPage("operations.md")
  }

  private var office: AgentRequests { container.requests(of: "office") }

  @Test func `every command of the page has the effect that the page describes`() async throws {
    try await prepare()
    try await install()
    try await restartWithPage()
    try await watch()
    try await manageAccounts()
    try await follow("When the clock has jumped")
    try await restoreABackup()
    try await follow("Upgrade")
    try await devicesAgree()
    try await follow("Repair")
    try await devicesAgree()
  }

  /// Prepares what the page assumes: users, and a state directory that can be moved away.
  private func prepare() async throws {
    try await container.shell(
      "{ getent passwd 1001 || useradd --uid 1001 grace; } && useradd --create-home alice")
    try await container.shell("umount /var/lib/contacts-broker")
  }

  /// Runs the commands of a section, except those that installed the programs.
  private func follow(
    _ section: String, replacing placeholder: String = " ", with word: String = " "
  ) async throws {
    let commands = page.commands(of: section)
    try #require(!commands.isEmpty, "the page has no commands under “\(section)”")
    for command in commands where !command.hasPrefix("make ") && !command.hasPrefix("apt ") {
      try await container.shell(command.replacingOccurrences(of: placeholder, with: word))
    }
  }

  private func install() async throws {
    try await follow("Install")
    #expect(try await container.property("ActiveState", of: "contactsd@office") == "active")
    try await container.shell(
      "loginctl enable-linger alice && runuser --login alice --command"
        + " 'XDG_RUNTIME_DIR=/run/user/$(id -u) systemctl --user enable --now contactsd'")
    // systemctl returns when the agent answers, which may be before the broker has.
    try await Patience.wait(until: "alice's agent to be live") {
      try await container.shell(
        "runuser --login alice --command 'XDG_RUNTIME_DIR=/run/user/$(id -u) contactsctl status'"
      ).contains("live")
    }
    let sandbox = try await container.shell(
      "grep CapBnd /proc/$(pgrep --uid alice --exact contactsd)/status")
    #expect(sandbox == "CapBnd:\t0000000000000000\n", "alice's agent has no sandbox")
    _ = try await office.add(first: "Ada")
    _ = try await Agreement.wait(among: [office, container.requests(of: "kitchen")])
  }

  /// N4: systemd keeps the socket of the web page while it restarts the agent, and closes it with the agent. The
  /// next socket has another address.
  private func restartWithPage() async throws {
    let script = #"""
      export XDG_RUNTIME_DIR=/run/user/$(id -u)
      link=$(contactsctl open --print)
      page=${link%%/#*}
      token=$(curl -s "$page/web/session" -d "{\"token\":\"${link#*#}\"}" | cut -d '"' -f 4)
      ask() { curl -s -o /dev/null -w "%{http_code} " -H "X-Contacts-Token: $token" "$page/v1/whoami"; }
      systemctl --user restart contactsd; ask
      kill -KILL $(systemctl --user show contactsd -p MainPID --value); ask
      systemctl --user stop contactsd; ask
      systemctl --user start contactsd; next=$(contactsctl open --print); ask
      [ "${next%%/#*}" = "$page" ] || printf new
      """#
    try await container.write(script, to: "/tmp/restart")
    let answers = try await container.shell("runuser --login alice --command 'bash /tmp/restart'")
    #expect(answers == "200 200 000 000 new")
  }

  private func watch() async throws {
    let setting = "metrics = /run/contacts-broker/metrics/metrics.sock"
    try await container.shell("echo '\(setting)' >> /etc/contacts/contacts-broker.conf")
    try await container.shell("systemctl restart contacts-broker.service")
    try await devicesAgree()
    let commands = page.inlineCommands(in: "Watch")
    #expect(commands.count >= 8)
    for command in commands {
      let isSearch = command.contains(" -g ") || command.contains("UID=")
      let result = try await container.run("/bin/sh", "-c", command)
      #expect(result.status == 0 || isSearch && result.status == 1, "\(command): \(result.error)")
      #expect(isSearch || !result.output.isEmpty, "\(command)")
    }
  }

  private func manageAccounts() async throws {
    let state = "--state /var/lib/contacts-broker"
    try await container.shell(
      "sed 's/^device = .*/device = lost/' /etc/contactsd/office.conf"
        + " > /etc/contactsd/lost.conf && chmod 600 /etc/contactsd/lost.conf"
        + " && systemctl enable --quiet --now contactsd@lost")
    // Its user belongs to no account yet.
    try await container.shell(
      "contacts-broker account allow alice --user contactsd-lost \(state) && systemctl restart contactsd@lost"
    )
    let lost = container.requests(of: "lost")
    _ = try await Agreement.wait(among: [office, lost])
    let devices = try await container.shell("contacts-broker device list \(state)")
    let line = try #require(devices.split(separator: "\n").first { $0.contains("lost") })
    let id = try #require(line.firstMatch(of: /[0-9a-f]{32}/)).0
    try await follow("Manage accounts and devices", replacing: "9c0e…", with: String(id))
    try await Patience.wait(until: "the lost device to be sent away") {
      try await lost.status().state != "live"
    }
    try await container.shell("systemctl disable --quiet --now contactsd@lost")
    try await container.shell(
      "contacts-broker account export alice /var/backups/alice \(state)"
        + " && test -n \"$(find /var/backups/alice -type f)\""
        + " && contacts-broker account delete grace --yes \(state)")
    let accounts = try await container.shell("contacts-broker account list \(state)")
    #expect(accounts.contains("alice"))
    #expect(!accounts.contains("grace"))
  }

  /// Restores a backup; the device sends what it lacks.
  private func restoreABackup() async throws {
    try await follow("Back up")
    let late = try await office.add(first: "Late")
    try await devicesAgree()
    try await follow("Restore")
    try await devicesAgree()
    #expect(try await office.contact(late)?.firstName == "Late")
    let records = try await container.shell(
      "contacts-broker account export alice /var/backups/restored"
        + " --state /var/lib/contacts-broker > /dev/null; cat /var/backups/restored/*.ndjson")
    #expect(records.contains("Late"), "the broker has what the backup had not")
  }

  private func devicesAgree() async throws {
    _ = try await Agreement.wait(among: [office])
  }
}
