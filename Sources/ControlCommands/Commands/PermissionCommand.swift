// Permissions of the user: notifications on this desktop, and whether others can find the account by its
// name. Each is requested once, when it is first needed, and stored.

import AgentAPI
import ArgumentParser
import Records

/// `permission`: show or change permissions.
struct PermissionCommand: ControlCommand {
  /// A permission.
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case notifications, discoverability
  }
  /// The user's answer.
  enum Answer: String, ExpressibleByArgument, CaseIterable { case allow, deny }

  static let configuration = CommandConfiguration(
    commandName: "permission",
    abstract: "Show or change permissions: desktop notifications, discoverability.",
    discussion: "Prints ask (not decided yet), allow or deny.")

  @Argument(help: "The permission: notifications or discoverability.") var subject: Subject
  @Argument(help: "allow or deny. Without it, the current value is printed.") var answer: Answer?
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply: AgentReply
    if let answer {
      reply = try await Self.say(answer, on: subject, session)
    } else {
      reply = try await session.agent.get(.permission(subject.rawValue))
    }
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      session.printer.row([try reply.decoded(as: PermissionItem.self).state])
    }
    return .done
  }

  private static func say(
    _ answer: Answer, on subject: Subject, _ session: CommandSession
  ) async throws(ControlFailure) -> AgentReply {
    try await session.agent.send(
      .put, .permission(subject.rawValue), body: PermissionForm(state: answer.rawValue))
  }

  /// Requests permission to show notifications, unless the user has answered before. Without a terminal,
  /// prints how to give it.
  static func mention(in session: CommandSession) async throws(ControlFailure) {
    let reply = try await session.agent.get(.permission(Subject.notifications.rawValue))
    guard try reply.decoded(as: PermissionItem.self).state == "ask" else { return }
    switch session.printer.ask("Show notifications on this desktop? [y/n]")?.lowercased().first {
    case "y": _ = try await say(.allow, on: .notifications, session)
    case "n": _ = try await say(.deny, on: .notifications, session)
    default:
      session.printer.remark(
        "Desktop notifications are off. To turn them on: contactsctl permission notifications allow"
      )
    }
  }
}
