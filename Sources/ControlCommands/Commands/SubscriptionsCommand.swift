// The subscriptions of this account, and their states.

import AgentAPI
import ArgumentParser
import Records

/// `subscriptions`: list subscriptions.
struct SubscriptionsCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "subscriptions",
    abstract: "List subscriptions: id, state, type, changes, predicate, texts.",
    discussion: """
      The state is saved, saving (not sent to the broker yet), refused or off. The \
      reason for the last two is printed after it. On a terminal, each subscription has a heading, \
      and its predicate and texts below it.
      """)

  @Argument(
    help: "Show only this subscription, with all its values.",
    completion: CompletionSource.subscriptions)
  var id: String?
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let printer = session.printer
    guard let id else {
      let reply = try await session.agent.get(.subscriptions)
      guard printer.style != .json else {
        printer.json(reply.bytes)
        return .done
      }
      let views = try reply.decoded(as: SubscriptionsView.self).subscriptions
      guard printer.style != .terminal else {
        await printer.page(views.flatMap { $0.lines(columns: printer.terminal.columns) })
        return .done
      }
      await printer.rows(views.map(\.row))
      for view in views {
        if let error = view.error { printer.remark("\(view.id): \(error.text)") }
      }
      return .done
    }
    let reply = try await session.agent.get(.subscription(id))
    if printer.style == .json {
      printer.json(reply.bytes)
    } else {
      await printer.sentences(try reply.decoded(as: SubscriptionItem.self).details)
    }
    return .done
  }
}

/// `unsubscribe`: delete a subscription.
struct UnsubscribeCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "unsubscribe", abstract: "Delete a subscription on all your devices.")

  @Argument(help: "The subscription's id.", completion: CompletionSource.subscriptions)
  var id: String
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    _ = try await session.agent.send(.delete, .subscription(id))
    if session.printer.style == .json {
      session.printer.json(try JSONText.encoded(DeletedSubscription(id: id)))
    }
    return .done
  }
}
