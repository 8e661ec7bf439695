// The contacts in order: sections for people, tab-separated lines for programs, from one request
// for each page.

import ArgumentParser

/// `list`: the contacts in order.
struct ListVerb: Verb {
  enum Section: String, ExpressibleByArgument, Sendable, CaseIterable { case letter, group }
  enum Order: String, ExpressibleByArgument, Sendable, CaseIterable {
    case last, first, company, modified
  }

  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List contacts, under their letters on a terminal.")

  @Option(help: "What sections are made by.") var by: Section = .letter
  @Option(help: "Only this group, by id or title.") var group: String?
  @Option(help: "What leads the order.") var sort: Order?
  @Option(
    help: ArgumentHelp(
      "What to print: \(ContactColumns.names.joined(separator: ", ")).", valueName: "a,b"))
  var fields: String?
  @Option(name: .customShort("n"), help: "At most so many.") var count: Int?
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    guard (count ?? 0) >= 0 else { throw ValidationError("-n takes a number from 0 up.") }
  }

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let columns = try ContactColumns(fields)
    var query: [(String, String)] = []
    if let sort { query.append(("sort", sort.rawValue)) }
    if let group { query.append(("group", group)) }
    let (pages, titles) = try await read(query, session.agent)
    guard session.printer.style != .json else {
      session.printer.json(try pages.joined())
      return .done
    }
    let contacts = try pages.contacts()
    guard session.printer.style == .terminal, fields == nil else {
      session.printer.rows(contacts.map { columns.row(of: $0) }, whole: columns.identifiers)
      return .done
    }
    let letter: SectionedList.Section = \.sectionKey
    let group: SectionedList.Section = { titles[$0.group] ?? $0.group }
    session.printer.page(
      SectionedList.lines(
        contacts, by: sort == .modified ? [] : by == .letter ? [letter] : [group, letter],
        limit: session.printer.terminal.columns, heading: { session.printer.emphasized($0) }))
    return .done
  }

  /// The list, and the groups' titles where it is made by group: one list after another, in the
  /// order in which the agent has the groups.
  private func read(
    _ query: [(String, String)], _ agent: AgentClient
  ) async throws(ControlFailure) -> (ContactPages, [String: String]) {
    guard by == .group else {
      return (try await ContactPages.read(from: agent, query: query, count: count), [:])
    }
    let groups = try await agent.get(["groups"]).decoded(as: GroupsView.self).groups
    let titles = Dictionary(groups.map { ($0.id, $0.title) }) { first, _ in first }
    guard group == nil else {
      return (try await ContactPages.read(from: agent, query: query, count: count), titles)
    }
    var pages = ContactPages()
    for group in groups {
      let rest = try count.map { (count: Int) throws(ControlFailure) in
        max(0, count - (try pages.contacts().count))
      }
      guard rest != 0 else { break }
      pages += try await ContactPages.read(
        from: agent, query: query + [("group", group.id)], count: rest)
    }
    return (pages, titles)
  }
}
