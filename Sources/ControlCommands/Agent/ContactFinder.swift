// Finds what a user means by the id, the name or the beginning of an id of a contact, for all subcommands that
// take one. A full id precedes a name, and a name precedes the beginning of an id. The agent accepts full ids
// and beginnings; names are compared here.

import AgentAPI
import Records

/// What a command does with a text that is no contact's whole name, but that a search finds in some contacts.
enum PartialMatch: Sendable {
  /// It fails. A deletion always does, because a search may find another contact than the user means.
  case rejected
  /// It asks on a terminal, and fails elsewhere.
  case confirmed
  /// It uses the only contact that the search found. Only for commands that change nothing.
  case accepted
}

/// Finds one contact, deleted contact or conflict.
struct ContactFinder {
  let session: CommandSession

  // MARK: Contacts

  /// Returns the contact that `text` names.
  /// - Parameter part: Whether a part of a name, or other words in the contact, are enough if nothing else
  ///   matches.
  /// - Throws: `unknownItem`; `invalidArguments` if several contacts match and the user does not choose one.
  func find(
    _ text: String, part: PartialMatch = .rejected
  ) async throws(ControlFailure) -> (id: String, reply: AgentReply) {
    guard !text.allSatisfy(\.isWhitespace) else { throw Self.unknown(text) }
    let byID = try await match(id: text)
    if case .full(let id, let reply) = byID { return (id, reply) }
    // A search finds words. A name without any is looked for in the whole list.
    let hasWords = text.contains { $0.isLetter || $0.isNumber }
    let query = hasWords ? [(AgentQuery.search, text)] : []
    let found = try await ContactPages(session.agent, query, ContactItem.Line.selection).contacts(
      atMost: nil
    ).map {
      Candidate($0)
    }
    var candidates = found.filter { $0.isNamed(text) }
    if candidates.isEmpty {
      switch byID {
      case .full(let id, let reply), .beginning(let id, let reply): return (id, reply)
      case .several(let failure):
        candidates = try await beginnings(text)
        // Several contacts may also have had this id, or share the name of the first releases.
        if candidates.isEmpty { throw failure }
      case .none: break
      }
    }
    let chosen =
      candidates.isEmpty
      ? try await choosePart(among: hasWords ? found : [], for: text, part)
      : try await choice("contacts").choose(among: candidates, for: text)
    return (chosen.id, try await session.agent.get(.contact(chosen.id)))
  }

  /// Returns the contact among those that a search for `text` found.
  private func choosePart(
    among found: [Candidate], for text: String, _ part: PartialMatch
  ) async throws(ControlFailure) -> Candidate {
    guard !found.isEmpty else { throw Self.unknown(text) }
    switch part {
    case .accepted: return try await choice("contacts").choose(among: found, for: text)
    case .confirmed:
      guard let chosen = try await choice("contacts").confirm(among: found, for: text) else {
        throw Self.unknown(text)
      }
      return chosen
    case .rejected: throw Self.unknown(text)
    }
  }

  /// What the agent has for a text as an id.
  private enum IDMatch {
    case full(id: String, reply: AgentReply)
    case beginning(id: String, reply: AgentReply)
    case several(ControlFailure)
    case none
  }

  private func match(id text: String) async throws(ControlFailure) -> IDMatch {
    do {
      let reply = try await session.agent.get(.contact(text))
      let id = try reply.decoded(as: IdentifiedView.self).id
      return id != text && id.hasPrefix(text)
        ? .beginning(id: id, reply: reply) : .full(id: id, reply: reply)
    } catch {
      // It may be a name, which can contain characters that ids cannot.
      guard [.notFound, .content].contains(error.exitCode) else { throw error }
      return error.reason == "ambiguous" ? .several(error) : .none
    }
  }

  private func beginnings(_ text: String) async throws(ControlFailure) -> [Candidate] {
    guard text.count >= Limits.idBeginningCharactersMinimum else { return [] }
    let all = try await ContactPages(session.agent, [], ContactItem.Line.selection)
      .contacts(atMost: nil)
    return Candidate.beginnings(text, among: all.map { Candidate($0) })
  }

  // MARK: Deleted contacts and conflicts

  /// Returns the id of the deleted contact that `text` names. A text that names none is returned unchanged,
  /// because only the agent knows former ids, and has the error message.
  /// - Throws: `invalidArguments` if several match and the user does not choose one.
  func findDiscarded(_ text: String) async throws(ControlFailure) -> String {
    let items = try await TrashPages.all(session.agent).items.map { Candidate($0) }
    return try await find(text, among: items, noun: "deleted contacts")
  }

  /// The contact or group in the trash that a text names.
  enum Restorable {
    case contact(id: String)
    case group(TrashView.DiscardedGroup)
  }

  /// Returns the deleted contact or group that `text` names; otherwise as `findDiscarded`.
  func findRestorable(_ text: String) async throws(ControlFailure) -> Restorable {
    let trash = try await TrashPages.all(session.agent)
    let candidates = trash.groups.map { Candidate($0) } + trash.items.map { Candidate($0) }
    let id = try await find(text, among: candidates, noun: "deleted contacts or groups")
    return trash.groups.first { $0.id == id }.map { .group($0) } ?? .contact(id: id)
  }

  /// Returns the id of the contact that `text` names, which may have been deleted; otherwise as
  /// `findDiscarded`.
  func findPast(_ text: String) async throws(ControlFailure) -> String {
    do {
      return try await find(text).id
    } catch {
      guard error.exitCode == .notFound else { throw error }
      return try await findDiscarded(text)
    }
  }

  /// Returns the id of the conflict that `text` names by its id or by its contact; otherwise as
  /// `findDiscarded`.
  func findConflict(_ text: String) async throws(ControlFailure) -> String {
    let reply = try await session.agent.get(.conflicts)
    let conflicts = try reply.decoded(as: ConflictsView.self).conflicts.map { Candidate($0) }
    return try await find(text, among: conflicts, noun: "conflicts")
  }

  private func find(
    _ text: String, among candidates: [Candidate], noun: String
  ) async throws(ControlFailure) -> String {
    let found = Candidate.matches(text, among: candidates)
    guard !found.isEmpty else { return text }
    return try await choice(noun).choose(among: found, for: text).id
  }

  private func choice(_ noun: String) -> CandidateChoice {
    CandidateChoice(session: session, noun: noun)
  }

  /// The error of a name, or a text that could be an id, that no contact has.
  static func unknown(_ text: String) -> ControlFailure {
    .error(
      .unknownItem, "No contact has the id or name “\(PlainText.clean(text))”.",
      hint: "To search for a part of the name: contactsctl search TEXT")
  }
}
