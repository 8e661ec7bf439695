// Lists contacts in order: in sections for people, tab-separated for programs, with one request for each
// page.

import AgentAPI
import ArgumentParser
import Glibc

/// `list`: list contacts.
struct ListCommand: ControlCommand {
  enum Section: String, ExpressibleByArgument, Sendable, CaseIterable { case letter, group }
  enum Order: String, ExpressibleByArgument, Sendable, CaseIterable {
    case last, first, company, modified
  }

  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List contacts, with section headings on a terminal.",
    discussion: """
      With text, only the contacts that contain all its words, as “contactsctl search” finds them. \
      With --birthdays, the next birthday comes first and its date is the first column; February \
      29 is February 28 in common years. A birthday needs a month and a day; the year may be unknown.
      """, aliases: ["ls"])

  @Argument(help: "The words, all of which must match.") var text: [String] = []
  @Flag(help: "Only emergency contacts.") var emergency = false
  @Flag(
    help: """
      Only favorites: contacts with the category “Favorites” or “starred”. In a shared group, a \
      favorite of one member is a favorite of all.
      """)
  var favorites = false
  @Flag(help: "Your own card, which has your name, and your favorites before all others.")
  var favoritesFirst = false
  @Flag(help: "Only contacts with a birthday, sorted by the next one.") var birthdays = false
  @Option(help: "How to group the list into sections.") var by: Section = .letter
  @Option(
    help: "Only the contacts of this group, by id or title.", completion: CompletionSource.groups)
  var group: String?
  @Option(help: "The name to sort by first.") var sort: Order?
  @Option(
    help: ArgumentHelp(
      "The columns to print: \(ContactColumns.names.joined(separator: ", ")).", valueName: "a,b"))
  var fields: String?
  @Option(name: .customShort("n"), help: "The maximum number of contacts.") var count: Int?
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    guard (count ?? 0) >= 0 else { throw ValidationError("-n must be 0 or more.") }
    guard !birthdays || sort == nil && by == .letter else {
      throw ValidationError("--birthdays sorts by date, and excludes --sort and --by.")
    }
    guard !favoritesFirst || !birthdays && by == .letter else {
      throw ValidationError("--favorites-first excludes --birthdays and --by group.")
    }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let columns = try ContactColumns(fields)
    let selection = selection(columns, session.printer)
    var query: [(String, String)] = []
    if let sort { query.append((AgentQuery.sort, sort.rawValue)) }
    if let group { query.append((AgentQuery.group, group)) }
    if !text.isEmpty { query.append((AgentQuery.search, text.joined(separator: " "))) }
    if birthdays {
      let items = try await ContactPages(session.agent, query, selection).items {
        $0.birthday != nil && isIncluded($0)
      }
      await show(
        BirthdayList.sorted(items, from: CalendarDay(of: time(nil))), columns, session.printer)
      return .done
    }
    let (lists, titles) = try await lists(query, selection, session.agent)
    let order = try await favoriteOrder(session.agent)
    switch session.printer.style {
    case .json: session.printer.json(try await json(of: lists, in: order))
    case .plain:
      let lines = try await values(of: lists, in: order) { Printer.line(columns.row(of: $0)) }
      if lines.isEmpty { try await explainEmptiness(session) }
      session.printer.text(lines.joined(separator: "\n"))
    case .terminal:
      let contacts = try await values(of: lists, in: order) { $0 }
      if contacts.isEmpty { try await explainEmptiness(session) }
      await show(contacts, under: sections(titles, order), columns, session.printer)
    }
    return .done
  }

  private func show(
    _ contacts: [ContactItem.Line], under sections: [SectionedList.Section],
    _ columns: ContactColumns, _ printer: Printer
  ) async {
    guard fields == nil else {
      return await printer.rows(
        contacts.map { columns.row(of: $0) }, whole: columns.identifiers)
    }
    await printer.page(
      SectionedList.lines(
        contacts, by: sections, limit: printer.terminal.columns,
        heading: { printer.emphasized($0) }))
  }

  /// Says why a device has no contacts if it is signed out; otherwise an empty list looks like a loss.
  private func explainEmptiness(_ session: CommandSession) async throws(ControlFailure) {
    let status = try await session.agent.get(.status).decoded(as: StatusView.self)
    guard ["noAccount", "restricted"].contains(status.accountStatus) else { return }
    session.printer.remark(status.accountSentence)
  }

  private func json(
    of lists: [ContactPages], in order: FavoriteOrder?
  ) async throws(ControlFailure) -> [[UInt8]] {
    guard !isFiltered else {
      let items = try await items(of: lists, in: order).map(\.json)
      return [JSONText.list(ContactsView.listKey, of: items)]
    }
    var joined = JoinedJSON(list: ContactsView.listKey)
    var rest = count
    for list in lists where joined.isEmpty || rest != 0 {
      var read = 0
      try await list.forEachPage(atMost: rest) { (page) throws(ControlFailure) in
        try joined.add(page)
        if lists.count > 1, rest != nil { read += try ContactPages.lines(of: page).count }
      }
      rest = rest.map { $0 - read }
    }
    return joined.parts
  }

  /// The agent has no filters for these, so whole contacts are read.
  private var isFiltered: Bool { emergency || favorites || favoritesFirst }

  private func isIncluded(_ contact: ContactItem.Line) -> Bool {
    (!emergency || contact.emergency) && (!favorites || FavoriteOrder.isFavorite(contact))
  }

  /// Returns the properties that are printed, and those that decide which contacts are printed where. JSON has all.
  private func selection(_ columns: ContactColumns, _ printer: Printer) -> ContactSelection? {
    guard printer.style != .json else { return nil }
    var properties = columns.properties
    if printer.style == .terminal { properties.formUnion([.sectionKey, .group]) }
    if printer.style == .terminal, fields == nil { properties.formUnion(SectionedList.properties) }
    if isFiltered { properties.formUnion([.name, .categories, .emergency]) }
    if birthdays { properties.insert(.birthday) }
    return ContactSelection(properties)
  }

  private func favoriteOrder(_ agent: AgentClient) async throws(ControlFailure) -> FavoriteOrder? {
    guard favoritesFirst else { return nil }
    let account = try await agent.get(.whoami).decoded(as: WhoamiView.self).account
    return FavoriteOrder(ownName: account.displayName ?? account.name)
  }

  private func sections(
    _ titles: [String: String], _ order: FavoriteOrder?
  ) -> [SectionedList.Section] {
    let letter: SectionedList.Section = { contact in
      order?.part(of: contact).heading ?? (sort == .modified ? "" : contact.sectionKey)
    }
    switch (by, sort) {
    case (.group, .modified), (.letter, .modified): return order == nil ? [] : [letter]
    case (.group, _): return [{ titles[$0.group] ?? $0.group }, letter]
    case (.letter, _): return [letter]
    }
  }

  /// Returns the lists to print. Grouped by group there is one for each, in the agent's order, with the
  /// titles.
  private func lists(
    _ query: [(String, String)], _ selection: ContactSelection?, _ agent: AgentClient
  ) async throws(ControlFailure) -> ([ContactPages], [String: String]) {
    let all = ContactPages(agent, query, selection)
    guard by == .group else { return ([all], [:]) }
    let groups = try await agent.get(.groups).decoded(as: GroupsView.self).groups
    let titles = Dictionary(groups.map { ($0.id, $0.heading(among: groups)) }) { first, _ in first }
    guard group == nil else { return ([all], titles) }
    let lists = groups.map {
      ContactPages(agent, query + [(AgentQuery.group, $0.id)], selection)
    }
    return (lists, titles)
  }

  /// Returns up to `count` of the contacts that are included.
  private func items(
    of lists: [ContactPages], in order: FavoriteOrder?
  ) async throws(ControlFailure) -> [ContactPages.Item] {
    var items: [ContactPages.Item] = []
    for list in lists {
      items += try await list.items(where: isIncluded)
      if order == nil, let count, items.count >= count { break }
    }
    return Array((order?.sorted(items) ?? items).prefix(count ?? .max))
  }

  /// Prints birthdays, each with its date first.
  private func show(
    _ birthdays: [BirthdayList.Birthday], _ columns: ContactColumns, _ printer: Printer
  ) async {
    let birthdays = birthdays.prefix(count ?? .max)
    guard printer.style != .json else {
      return printer.json(JSONText.list(ContactsView.listKey, of: birthdays.map(\.json)))
    }
    let rows = birthdays.map { [$0.next.text] + columns.row(of: $0.item.line) }
    guard fields != nil else { return await printer.list(rows, ids: [1]) }
    await printer.rows(rows, whole: Set([0] + columns.identifiers.map { $0 + 1 }))
  }

  /// Returns what `value` makes of each of up to `count` contacts.
  private func values<Value>(
    of lists: [ContactPages], in order: FavoriteOrder?, _ value: (ContactItem.Line) -> Value
  ) async throws(ControlFailure) -> [Value] {
    guard !isFiltered else { return try await items(of: lists, in: order).map { value($0.line) } }
    var values: [Value] = []
    for list in lists {
      let rest = count.map { $0 - values.count }
      if rest == 0 { break }
      values += try await list.values(atMost: rest, value)
    }
    return values
  }
}
