// A list for people: section headings, names, phone numbers, as much of an e-mail address as fits, and short
// ids at the end of each line. If a line would be too long, names are truncated, not phone numbers: a part of
// a number cannot be called.

import AgentAPI

/// Lists contacts under headings.
enum SectionedList {
  /// A heading of one level, as a function of a contact.
  typealias Section = (ContactItem.Line) -> String

  /// The properties that a list shows besides its headings.
  static let properties: Set<ContactItem.CodingKeys> = [.id, .name, .phones, .emails]

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

  private static let gap = 2
  /// The width that a name keeps next to a long phone number.
  private static let narrowestName = 8
  /// The widths beyond which a name or an e-mail address does not make the list wider.
  private static let usualName = 32
  private static let usualEmail = 36

  /// Returns rows with the e-mail address if nothing of usual length has to be truncated for it.
  private static func rows(of contacts: [ContactItem.Line], limit: Int) -> [String] {
    let short = ShortIDs(contacts.map(\.id))
    let ids = contacts.map { PlainText.clean(short[$0.id]) }
    let idWidth = ids.map(TextWidth.columns).max() ?? 0
    // A longer number than this exists in broken data only. It must not make all lines wrap.
    let phoneWidth = max(0, limit - idWidth - narrowestName - 2 * gap)
    let rows = zip(contacts, ids).map { contact, id in
      [
        PlainText.clean(contact.name),
        TextWidth.cut(PlainText.clean(contact.phones.first ?? ""), to: phoneWidth),
        TextWidth.cut(PlainText.clean(contact.emails.first ?? ""), to: usualEmail), id,
      ]
    }
    let full = TextTable(
      rows.map { [TextWidth.cut($0[0], to: usualName)] + $0.dropFirst() }, whole: [1, 3])
    guard full.columns > limit else { return full.lines(limit: limit) }
    let reachable = withEmailInPlaceOfPhone(rows, room: limit - idWidth - 2 * gap)
    return TextTable(reachable, whole: [1, 2]).lines(limit: limit)
  }

  /// Returns rows without the column of e-mail addresses. A contact without a phone has its address in the
  /// place of the phone, truncated to what names of usual length leave of `room`.
  private static func withEmailInPlaceOfPhone(_ rows: [[String]], room: Int) -> [[String]] {
    let names = rows.map { min(TextWidth.columns(of: $0[0]), usualName) }.max() ?? 0
    let phones = rows.map { TextWidth.columns(of: $0[1]) }.max() ?? 0
    let width = max(phones, room - names)
    return rows.map { row in
      [row[0], row[1].isEmpty ? TextWidth.cut(row[2], to: width) : row[1], row[3]]
    }
  }
}
