// Pairs of probable duplicates for people. The two contacts often have the same name, so each shows a value that
// the other one lacks.

import AgentAPI

/// Lists pairs of probable duplicates on a terminal.
enum DuplicateList {
  /// The maximum number of values that a contact shows.
  private static let valuesMax = 2

  /// Returns a line for each contact of a pair and, below both, the reasons. `contacts` are the contacts of all
  /// pairs; of one that is missing there, only the name is shown.
  static func lines(
    _ pairs: [DuplicatesView.Pair], contacts: [ContactItem.Line], groups: [GroupItem], limit: Int
  ) -> [String] {
    let known = Dictionary(contacts.map { ($0.id, $0) }) { first, _ in first }
    let rows = pairs.flatMap { pair in
      pair.contacts.map { contact in
        let others = pair.contacts.filter { $0.id != contact.id }.compactMap { known[$0.id] }
        let detail = known[contact.id].map { self.detail(of: $0, unlike: others, groups) } ?? ""
        return [contact.id, contact.name, detail]
      }
    }
    var rest = IdentifiedTable(rows).lines(limit: limit)[...]
    return pairs.enumerated().flatMap { index, pair in
      let lines = rest.prefix(pair.contacts.count)
      rest = rest.dropFirst(pair.contacts.count)
      let reasons = PlainText.clean(pair.reasons.map(\.sentence).joined(separator: ", "))
      return (index == 0 ? [] : [""]) + lines
        + TextWidth.lines(of: reasons, after: "  ", limit: limit)
    }
  }

  /// Returns the phones, e-mail addresses and company that no contact of `others` has; without any, the group
  /// if it is another one, and otherwise a value of both.
  private static func detail(
    of contact: ContactItem.Line, unlike others: [ContactItem.Line], _ groups: [GroupItem]
  ) -> String {
    let theirs = Set(others.flatMap(values))
    let own = values(of: contact).filter { !theirs.contains($0) }
    guard own.isEmpty else { return own.prefix(valuesMax).joined(separator: ", ") }
    let group = groups.first { $0.id == contact.group }
    if let group, others.contains(where: { $0.group != group.id }) {
      return "in \(group.heading(among: groups))"
    }
    return values(of: contact).first ?? ""
  }

  private static func values(of contact: ContactItem.Line) -> [String] {
    (contact.phones + contact.emails + [contact.company]).filter { !$0.isEmpty }
  }
}
