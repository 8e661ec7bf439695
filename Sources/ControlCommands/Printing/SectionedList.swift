// A list for people: a heading wherever the section changes, names under it, ids behind them.

/// Lists contacts under headings.
enum SectionedList {
  /// The list's text; `heading` sets a heading off from the names.
  static func text(
    _ contacts: [ContactView], by section: (ContactView) -> String, heading: (String) -> String
  ) -> String {
    let names = contacts.map { PlainText.clean($0.displayName) }
    let width = min(40, names.map(\.count).max() ?? 0)
    var lines: [String] = []
    var current: String?
    for (contact, name) in zip(contacts, names) {
      let title = section(contact)
      if title != current {
        if current != nil { lines.append("") }
        lines.append(heading(PlainText.clean(title)))
        current = title
      }
      let padding = String(repeating: " ", count: max(0, width - name.count))
      lines.append("  \(name)\(padding)  \(PlainText.clean(contact.id))")
    }
    return lines.joined(separator: "\n")
  }
}
