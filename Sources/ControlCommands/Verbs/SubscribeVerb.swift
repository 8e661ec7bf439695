// A wish to be told of changes, saved by id. What is wrong with it is told at once, with the place in
// the text; it is kept on this device and sent when there is a broker.

import ArgumentParser
import Records

/// `subscribe`: be told of changes.
struct SubscribeVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "subscribe", abstract: "Be told of changes, and print the subscription's id.",
    discussion: """
      Example: contactsctl subscribe --type Contact --where "company == 'Acme'" \
      --title "{firstName} {lastName}" --alert "works at {company} now"

      Titles and alerts hold fields' names in braces. A command gets what was told in variables \
      (CONTACTS_ID, CONTACTS_REASON, CONTACTS_NAME …) and as JSON on its standard input; it runs on \
      this device only. Saving under an id that is there replaces.
      """)

  @Option(help: "Its name; one is made where none is given.") var id: String?
  @Option(help: ArgumentHelp("The type of record: Contact.", valueName: "type"))
  var type: String?
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Which records; all of the type without it. See docs/predicates.md.",
      valueName: "predicate"))
  var predicate: String?
  @Option(
    help: ArgumentHelp("Only in this group, by id or title."),
    completion: CompletionSource.groups)
  var group: String?
  @Option(help: ArgumentHelp("private, shared or public.", valueName: "database"))
  var database: String?
  @Option(
    help: ArgumentHelp("Of: created, updated, deleted; all three without it.", valueName: "a,b"))
  var on: String?
  @Flag(help: "Gone after it was told once.") var once = false
  @Flag(help: "For this device, not for all of yours.") var thisDevice = false
  @Flag(help: "Also of changes made on this device.") var echo = false
  @Flag(help: "For programs: nobody sees it.") var silent = false
  @Option(help: ArgumentHelp("The heading of what people see.", valueName: "text"))
  var title: String?
  @Option(help: ArgumentHelp("The text of what people see.", valueName: "text"))
  var alert: String?
  @Option(help: ArgumentHelp("Fields to send along.", valueName: "a,b")) var keys: String?
  @Option(
    name: .customLong("run"),
    help: ArgumentHelp("Run this here for each, through the shell.", valueName: "command"))
  var command: String?
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    if predicate != nil, type == nil {
      throw ValidationError("--where asks records of one type: say --type Contact.")
    }
    if silent, title != nil || alert != nil {
      throw ValidationError("--silent disturbs nobody; it excludes --title and --alert.")
    }
    if let on {
      for word in Self.words(on) where !["created", "updated", "deleted"].contains(word) {
        throw ValidationError("--on takes created, updated and deleted; “\(word)” is none.")
      }
    }
    if let database, !["private", "shared", "public"].contains(database) {
      throw ValidationError("--database is private, shared or public; “\(database)” is none.")
    }
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let form = SubscriptionForm(
      id: id, type: type, predicate: predicate, group: group, database: database,
      on: on.map(Self.words), once: once, thisDevice: thisDevice, echo: echo, silent: silent,
      title: title, alert: alert, badge: !silent, keys: keys.map(Self.words), command: command)
    let reply: AgentReply
    do {
      reply = try await session.agent.send(.post, ["subscriptions"], body: form)
    } catch {
      throw pointing(error)
    }
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      session.printer.row([try reply.decoded(as: SubscriptionView.self).id])
    }
    if title != nil || alert != nil { try await PermissionVerb.mention(in: session) }
    return .done
  }

  /// The failure with the place in what was typed, where it is about one.
  private func pointing(_ failure: ControlFailure) -> ControlFailure {
    let text: String? =
      switch failure.field {
      case "where": predicate
      case "title": title
      case "alert": alert
      default: nil
      }
    guard let text, let column = failure.column else { return failure }
    var failure = failure
    failure.excerpt = TextExcerpt.lines(of: text, column: column)
    return failure
  }
}
