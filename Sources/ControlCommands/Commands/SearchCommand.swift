// Searches contacts for words in any field. No results are not an error: the exit code is 0.

import AgentAPI
import ArgumentParser

/// `search`: find contacts by words in any field.
struct SearchCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search contacts by words in any field, and phone numbers in any format.",
    aliases: ["find"])

  @Argument(help: "The words, all of which must match.") var text: [String]
  @Option(name: .customShort("n"), help: "The maximum number of contacts.") var count: Int?
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    guard (count ?? 0) >= 0 else { throw ValidationError("-n must be 0 or more.") }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let query = [(AgentQuery.search, text.joined(separator: " "))]
    if session.printer.style == .json {
      let found = ContactPages(session.agent, query)
      session.printer.json(try await found.json(atMost: count))
      return .done
    }
    let found = ContactPages(session.agent, query, ContactSelection(SectionedList.properties))
    guard session.printer.style == .terminal else {
      let columns = try ContactColumns(nil)
      let lines = try await found.values(atMost: count) { Printer.line(columns.row(of: $0)) }
      session.printer.text(lines.joined(separator: "\n"))
      return .done
    }
    await session.printer.page(
      SectionedList.lines(
        try await found.contacts(atMost: count), by: [], limit: session.printer.terminal.columns,
        heading: { $0 }))
    return .done
  }
}
