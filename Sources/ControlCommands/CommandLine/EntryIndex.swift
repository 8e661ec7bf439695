// Finds entries by the beginning of their ids, as users copy them from `show`, or by a label that only one has.

import AgentAPI
import Contacts
import Records

/// The entries of one contact.
struct EntryIndex: Sendable {
  /// The lists whose entries can be named.
  static let lists: [ContactList] = [.phones, .emails, .addresses, .urls]

  private let entries: [(list: ContactList, id: String, label: String)]

  /// Indexes the entries of `contact`.
  init(_ contact: FormValue) {
    entries = Self.lists.flatMap { list in
      (contact[list.rawValue]?.items ?? []).compactMap { entry in
        entry[.id]?.text.map { (list, $0, entry[.label]?.text ?? "") }
      }
    }
  }

  /// Returns the entry of `lists` whose id begins with `prefix`, or the only one that has it as its label.
  func find(
    _ prefix: String, in lists: [ContactList]
  ) throws(ControlFailure) -> (list: ContactList, id: String) {
    let wanted = prefix.lowercased()
    let among = entries.filter { lists.contains($0.list) && !wanted.isEmpty }
    var found = among.filter { $0.id.hasPrefix(wanted) }
    if found.isEmpty { found = among.filter { $0.label.lowercased() == wanted } }
    if found.count == 1 { return (found[0].list, found[0].id) }
    let shown = PlainText.clean(prefix)
    let nouns = lists.map(\.noun).joined(separator: ", ")
    if found.isEmpty {
      throw .error(
        .unknownItem, "The contact has no entry “\(shown)” (\(nouns)).",
        hint: "To see the ids of its entries: contactsctl show ID")
    }
    throw .error(
      .invalidArguments, "“\(shown)” matches \(found.count) entries.",
      hint: "Use the id, as far as it is unique. To see it: contactsctl show ID")
  }

  /// The shortest length, at least eight digits, at which the beginnings of all ids differ.
  var shortLength: Int {
    let ids = entries.map(\.id)
    let longest = ids.map(\.count).max() ?? 8
    return (8...max(8, longest)).first { length in
      Set(ids.map { $0.prefix(length) }).count == Set(ids).count
    } ?? longest
  }
}
