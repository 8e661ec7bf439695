// The columns of lists of contacts.

import AgentAPI

/// The selected columns of a list of contacts.
struct ContactColumns: Sendable {
  private static let all: [(name: String, text: @Sendable (ContactItem.Line) -> String)] = [
    ("id", { $0.id }), ("name", { $0.name }), ("first", { $0.firstName }),
    ("last", { $0.lastName }), ("company", { $0.company }),
    ("phone", { $0.phones.first ?? "" }), ("email", { $0.emails.first ?? "" }),
    ("phones", { $0.phones.joined(separator: ", ") }),
    ("emails", { $0.emails.joined(separator: ", ") }),
    ("birthday", { $0.birthday ?? "" }), ("emergency", { $0.emergency ? "yes" : "no" }),
    ("group", { $0.group }), ("section", { $0.sectionKey }), ("sortName", { $0.sortName }),
    ("created", { $0.created ?? "" }), ("modified", { $0.modified ?? "" }),
    ("synced", { $0.synced ? "yes" : "no" }),
  ]

  /// The names of all columns.
  static var names: [String] { all.map(\.name) }

  /// The selected columns that contain ids, which are never truncated.
  let identifiers: Set<Int>
  private let chosen: [@Sendable (ContactItem.Line) -> String]

  /// Parses names of columns, separated by commas; `nil` means `id,name,phone,email`.
  init(_ text: String?) throws(ControlFailure) {
    var chosen: [@Sendable (ContactItem.Line) -> String] = []
    var identifiers: Set<Int> = []
    for name in (text ?? "id,name,phone,email").split(separator: ",").map(String.init) {
      guard let column = Self.all.first(where: { $0.name == name }) else {
        let near = WordCheck.nearest(to: name, among: Self.names)
        let shown = PlainText.clean(name)
        throw .usage(
          "“\(shown)” is not a column of the list."
            + (near.map { " Did you mean “\($0)”?" }
              ?? " Columns: \(Self.names.joined(separator: ", "))."))
      }
      if name == "id" { identifiers.insert(chosen.count) }
      chosen.append(column.text)
    }
    guard !chosen.isEmpty else {
      throw .usage("--fields needs at least one column: \(Self.names.joined(separator: ", ")).")
    }
    self.chosen = chosen
    self.identifiers = identifiers
  }

  /// Returns the values of `contact` in the columns.
  func row(of contact: ContactItem.Line) -> [String] {
    chosen.map { $0(contact) }
  }
}
