// What setup suggests, and how it reads answers.

import AgentAPI
import Foundation
import Testing

@testable import ControlCommands

@Suite("C4 setup")
struct SetupCommandTests {
  private func status(reason: String? = nil, broker: String? = "/run/b.sock") -> StatusView {
    var view = StatusView(state: "offline")
    (view.connectionErrorReason, view.broker) = (reason, broker)
    return view
  }

  @Test func `a broker of another machine is answered with an invitation, not with systemd`() {
    let command = SetupCommand.brokerCommand(of: status(broker: "home.example:6425"))
    #expect(command.hasPrefix("contactsctl signin INVITATION"))
  }

  @Test func `a socket that may not be used is put right by joining its group`() {
    let command = SetupCommand.brokerCommand(of: status(reason: "forbiddenSocket"))
    #expect(command == "sudo adduser \(NSUserName()) contacts")
  }

  @Test func `a user without an account sees the administrator's command`() {
    let command = SetupCommand.brokerCommand(of: status(reason: "noAccount"))
    #expect(command.hasPrefix("sudo contacts-broker account add \(NSUserName()) --uid"))
  }

  @Test(arguments: [80, 200])
  func `a terminal shows the whole step, and below it a command that can be copied`(limit: Int) {
    let command =
      "contactsctl completion bash > /home/ada/.local/share/bash-completion/completions/contactsctl"
    let steps = [
      SetupCommand.Step(step: "contactsd is running", done: true, next: ""),
      SetupCommand.Step(
        step: "the device is registered with a broker", done: true, next: "ada on laptop"),
      SetupCommand.Step(step: "shell completion is installed", done: false, next: command),
    ]
    #expect(
      SetupCommand.lines(of: steps, limit: limit) == [
        "done   contactsd is running", "done   the device is registered with a broker",
        "       ada on laptop", "to do  shell completion is installed", "       " + command,
      ])
  }

  @Test(arguments: [nil, "otherKey"])
  func `a broker that does not run, or an unknown reason, is answered with the start`(
    reason: String?
  ) {
    let command = SetupCommand.brokerCommand(of: status(reason: reason))
    #expect(command.hasPrefix("sudo systemctl start contacts-broker.socket"))
  }

  @Test(arguments: [(nil, nil), ("", nil), ("  ", nil), (" Ada Quill ", "Ada Quill")])
  func `an empty answer is none`(typed: String?, answer: String?) {
    #expect(SetupCommand.answer(typed) == answer)
  }
}
