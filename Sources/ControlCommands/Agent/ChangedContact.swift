// The contact that a command changed. A command that changes a contact says which one, because the user may have named
// it by the beginning of an id.

import AgentAPI

/// A contact by its id and its name.
struct ChangedContact: Equatable, Sendable {
  /// The maximum number of names in a sentence.
  private static let namesMax = 3

  let id: String
  let name: String

  /// Creates a contact with an id and a name.
  init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  /// Reads the contact in a response of the agent.
  init(_ reply: AgentReply) throws(ControlFailure) {
    let contact = try reply.decoded(as: FormValue.self)
    self.init(id: contact[.id]?.text ?? "", name: contact[.displayedName]?.text ?? "")
  }

  /// The name with the id: the short id on a terminal, and the full id for programs.
  func shown(in style: Printer.Style) -> String {
    "“\(name)” (\(style == .terminal ? ShortIDs([id])[id] : id))"
  }

  /// Returns one contact by its name, or several by their number and the first names.
  static func phrase(for contacts: [ChangedContact]) -> String {
    let names = contacts.prefix(namesMax).map { "“\($0.name)”" }
    guard contacts.count != 1 else { return names[0] }
    let count = Quantity.text(contacts.count, "contact")
    guard !names.isEmpty else { return count }
    let more = contacts.count > names.count ? ", …" : ""
    return "\(count) (\(names.joined(separator: ", "))\(more))"
  }
}

extension AgentReply {
  /// The end of a sentence about the change: the command that undoes it; empty if there is nothing to undo.
  var undoSentence: String { action.map { " Undo: contactsctl undo \($0)" } ?? "" }
}
