import AgentAPI
import Records

/// A contact, a deleted contact or a conflict that a user's text may name.
struct Candidate: Equatable, Sendable {
  let id: String
  let name: String
  /// What distinguishes it from another one with the same name, such as a phone number.
  var detail = ""
  /// The id of its group; empty if unknown.
  var group = ""

  /// Whether its name is `text`, ignoring case.
  func isNamed(_ text: String) -> Bool { name.lowercased() == text.lowercased() }

  /// Returns the candidates that `text` names: the one with this id; without one, all with this name; without
  /// those, all whose ids begin with it. A part of a name names nothing.
  static func matches(_ text: String, among candidates: [Candidate]) -> [Candidate] {
    if let exact = candidates.first(where: { $0.id == text }) { return [exact] }
    let named = candidates.filter { $0.isNamed(text) }
    return named.isEmpty ? beginnings(text, among: candidates) : named
  }

  /// Returns the candidates whose ids begin with `text`; none if it is too short for that.
  static func beginnings(_ text: String, among candidates: [Candidate]) -> [Candidate] {
    guard text.count >= Limits.idBeginningCharactersMinimum else { return [] }
    return candidates.filter { $0.id.hasPrefix(text) }
  }
}

extension Candidate {
  /// Creates a candidate for a contact of a list.
  init(_ contact: ContactItem.Line) {
    self.init(
      id: contact.id, name: contact.name, detail: contact.phones.first ?? contact.company,
      group: contact.group)
  }

  /// Creates a candidate for a deleted contact.
  init(_ item: TrashView.Discarded) {
    self.init(id: item.id, name: item.name, detail: "deleted \(item.deleted)", group: item.group)
  }

  /// Creates a candidate for a deleted group.
  init(_ group: TrashView.DiscardedGroup) {
    self.init(id: group.id, name: group.title, detail: "deleted \(group.deleted)", group: group.id)
  }

  /// Creates a candidate for a conflict, which is named by its contact.
  init(_ conflict: ConflictItem) {
    self.init(id: conflict.id, name: conflict.name, detail: conflict.field)
  }
}
