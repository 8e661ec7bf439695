// A list for people: section headings, names, as much of a phone number and an e-mail address as fits, and
// complete ids at the end of each line.

import AgentAPI

/// Lists contacts under headings.
enum SectionedList {
  /// A heading of one level, as a function of a contact.
  typealias Section = (ContactItem.Line) -> String

  private static func indent(_ level: Int) -> String { String(repeating: "  ", count: level) }

  /// Returns the lines of the list, none wider than `limit`. Headings of the first of `sections` precede
  /// those of the next. `heading` emphasizes a heading.
  static func lines(
    _ contacts: [ContactItem.Line], by sections: [Section], limit: Int, heading: (String) -> String
  ) -> [String] {
    let indent = indent(sections.count)
    let rows = rows(of: contacts, limit: limit - indent.count)
    var lines: [String] = []
    var current: [String] = []
    for (contact, row) in zip(contacts, rows) {
      let titles = sections.map { PlainText.clean($0(contact)) }
      if titles != current {
        let changed = zip(titles, current).prefix { $0 == $1 }.count
        if !lines.isEmpty { lines.append("") }
        lines += titles.indices.dropFirst(changed).map { level in
          Self.indent(level) + heading(TextWidth.cut(titles[level], to: limit - 2 * level))
        }
        current = titles
      }
      lines.append(indent + row)
    }
    return lines
  }

  /// The minimum width of a name that still identifies a person.
  private static let narrowestName = 20

  /// Returns rows with as many columns as fit without truncating values of usual length.
  private static func rows(of contacts: [ContactItem.Line], limit: Int) -> [String] {
    let columns: [(text: (ContactItem.Line) -> String, usualColumns: Int)] = [
      (\.name, 32), ({ $0.phones.first ?? "" }, 20),
      ({ $0.emails.first ?? "" }, 36),
    ]
    for count in [3, 2] {
      let table = TextTable(
        contacts.map { contact in
          columns.prefix(count).map {
            PlainText.clean(TextWidth.cut($0.text(contact), to: $0.usualColumns))
          } + [PlainText.clean(contact.id)]
        }, whole: [count])
      if table.columns <= limit { return table.lines(limit: limit) }
    }
    let withPhones = TextTable(
      contacts.map { [$0.name, columns[1].text($0), $0.id].map(PlainText.clean) },
      whole: [1, 2])
    if withPhones.roomForFlexible(limit: limit) >= narrowestName {
      return withPhones.lines(limit: limit)
    }
    let table = TextTable(
      contacts.map { [$0.name, $0.id].map(PlainText.clean) }, whole: [1])
    return table.lines(limit: limit)
  }
}
