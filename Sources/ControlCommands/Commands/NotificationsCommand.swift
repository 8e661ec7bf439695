// Notifications, as a list or one line each as they arrive. Their numbers have no gaps, so the stream resumes
// after the agent was unreachable.

import AgentAPI
import ArgumentParser
import Records

/// `notifications`: show notifications.
struct NotificationsCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "notifications", abstract: "List the notifications of your subscriptions.",
    discussion: """
      The columns are: number, time, subscription, reason (created, updated, entered, left, \
      deleted, collapsed, requested, joined, gained, lost), type, id, name, title, alert; on a \
      terminal: number, time, what happened. The last 10,000 are kept.
      """)

  private static let pageRows = 1_000

  @Flag(help: "Keep printing new notifications until interrupted.") var follow = false
  @Option(help: ArgumentHelp("Only notifications after this number.", valueName: "number"))
  var since: Int64?
  @Flag(help: "Mark the listed notifications as read, which clears them from the badge.") var seen =
    false
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    try SequenceArgument.check(since, name: "--since")
    if follow, seen { throw ValidationError("Use either --follow or --seen, not both.") }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let printer = session.printer
    guard !follow else {
      try await session.follow(.notificationEvents, since: since) {
        event throws(ControlFailure) in
        try Self.show(event, printer)
      }
    }
    var pages: [AgentReply] = []
    var views: [NotificationItem] = []
    var last = since ?? 0
    while true {
      let reply = try await session.agent.get(
        .notifications,
        query: [(AgentQuery.since, "\(last)"), (AgentQuery.limit, "\(Self.pageRows)")])
      let page = try reply.decoded(as: NotificationsView.self)
      pages.append(reply)
      views += page.notifications
      last = page.notifications.last?.seq ?? last
      guard page.notifications.count == Self.pageRows else { break }
    }
    if printer.style == .json {
      printer.json(try JSONText.joined(pages.map(\.bytes), list: NotificationsView.listKey))
    } else {
      await printer.sentences(views.map { $0.row(in: printer.style) })
    }
    if seen, last > 0 {
      _ = try await session.agent.send(
        .post, .seenNotifications, body: SeenForm(through: last))
    }
    return .done
  }

  private static func show(_ event: ServerEvent, _ printer: Printer) throws(ControlFailure) {
    if event.kind == AgentEvent.reset {
      printer.remark(try ResetView(event).sentence(of: "notifications"))
    }
    guard event.kind == AgentEvent.notification else { return }
    guard printer.style != .json else { return printer.json(Array(event.content.utf8)) }
    let reply = AgentReply(bytes: Array(event.content.utf8))
    printer.sentence(try reply.decoded(as: NotificationItem.self).row(in: printer.style))
  }
}
