// The columns of lists of contacts.

import AgentAPI

/// The selected columns of a list of contacts.
struct ContactColumns: Sendable {
  private struct Column: Sendable {
    let name: String
    /// The property that the column is made of.
    let property: ContactItem.CodingKeys
    let text: @Sendable (ContactItem.Line) -> String

    init(
      _ name: String, _ property: ContactItem.CodingKeys,
      _ text: @escaping @Sendable (ContactItem.Line) -> String
    ) {
      (self.name, self.property, self.text) = (name, property, text)
    }
  }

  private static let all: [Column] = [
    Column("id", .id) { $0.id }, Column("name", .name) { $0.name },
    Column("first", .firstName) { $0.firstName }, Column("last", .lastName) { $0.lastName },
    Column("company", .company) { $0.company },
    Column("phone", .phones) { $0.phones.first ?? "" },
    Column("email", .emails) { $0.emails.first ?? "" },
    Column("phones", .phones) { $0.phones.joined(separator: ", ") },
    Column("emails", .emails) { $0.emails.joined(separator: ", ") },
    Column("birthday", .birthday) { $0.birthday ?? "" },
    Column("emergency", .emergency) { $0.emergency ? "yes" : "no" },
    Column("group", .group) { $0.group }, Column("section", .sectionKey) { $0.sectionKey },
    Column("sortName", .sortName) { $0.sortName },
    Column("created", .created) { $0.created ?? "" },
    Column("modified", .modified) { $0.modified ?? "" },
    Column("synced", .synced) { $0.synced ? "yes" : "no" },
  ]

  /// The names of all columns.
  static var names: [String] { all.map(\.name) }

  /// The selected columns that contain ids, which are never truncated.
  let identifiers: Set<Int>
  private let chosen: [Column]

  /// Parses names of columns, separated by commas; `nil` means `id,name,phone,email`.
  init(_ text: String?) throws(ControlFailure) {
    var chosen: [Column] = []
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
      chosen.append(column)
    }
    guard !chosen.isEmpty else {
      throw .usage("--fields needs at least one column: \(Self.names.joined(separator: ", ")).")
    }
    self.chosen = chosen
    self.identifiers = identifiers
  }

  /// The properties that the columns are made of.
  var properties: Set<ContactItem.CodingKeys> { Set(chosen.map(\.property)) }

  /// Returns the values of `contact` in the columns.
  func row(of contact: ContactItem.Line) -> [String] {
    chosen.map { $0.text(contact) }
  }
}
