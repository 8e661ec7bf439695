// Changes a contact in the user's editor. An unchanged text cancels, which is not an error. A rejected text
// is opened again with the problems at their places, as often as the user wants. Changes that other devices
// made in the meantime are not overwritten and do not block the edit. Only if both changed the same property
// is the user asked.

import AgentAPI
import Foundation
import Records

/// One contact in an editor.
struct ContactEditor {
  /// The resource that the text becomes.
  enum Target {
    /// The contact with this id.
    case contact(String)
    /// A new contact in this group; `nil` for the standard zone.
    case new(group: String?)
  }

  let session: CommandSession
  let target: Target
  let profile: String?

  /// The result of a round of editing.
  private enum Outcome {
    case saved(AgentReply)
    case unchanged
    case refused([ProblemView])
  }

  /// The state that is retained between rounds.
  private struct Rounds {
    /// The contact when the editor was opened.
    let base: FormValue
    /// The newest version whose conflicts the user has seen.
    var seen: String?
  }

  /// Runs the editor until the contact is saved or the user cancels.
  /// - Returns: The saved contact; `nil` if nothing was saved.
  func run() async throws(ControlFailure) -> AgentReply? {
    let environment = ProcessInfo.processInfo.environment
    let editor = try EditorProgram(environment: environment, mayAsk: session.printer.mayAsk)
    var rounds = try await begin()
    let file = try EditorFile(environment: environment)
    let template = ContactTemplate(contact: rounds.base).text
    var shown = template
    while true {
      try file.write(shown)
      try await open(file, with: editor, isFirst: shown == template)
      guard let typed = try file.read(), typed != shown, !Self.isBlank(typed) else {
        return cancelled(file, isFirst: shown == template)
      }
      let document = Self.document(typed)
      do throws(ControlFailure) {
        switch try await save(document, &rounds) {
        case .saved(let reply):
          file.remove()
          return reply
        case .unchanged: return cancelled(file, isFirst: true)
        case .refused(let problems):
          shown = AnnotatedText.text(
            typed, problems: problems, document: try? document.get())
          guard try reportAndAsk(problems) else { return cancelled(file, isFirst: false) }
        }
      } catch {
        throw error.keeping(file.path)
      }
    }
  }

  private func begin() async throws(ControlFailure) -> Rounds {
    guard case .contact(let id) = target else { return Rounds(base: .object([:]), seen: nil) }
    let reply = try await session.agent.get(.contact(id))
    return Rounds(base: try reply.decoded(as: FormValue.self), seen: reply.version)
  }

  /// Opens the editor. If it cannot be started the first time, removes the file, which contains no edits.
  private func open(
    _ file: EditorFile, with editor: EditorProgram, isFirst: Bool
  ) async throws(ControlFailure) {
    do {
      try await editor.edit(file)
    } catch {
      if isFirst, error.exitCode == .configuration { file.remove() }
      throw error
    }
  }

  private static func isBlank(_ text: String) -> Bool {
    text.split(separator: "\n").allSatisfy {
      let line = $0.drop { $0.isWhitespace }
      return line.isEmpty || line.hasPrefix("#")
    }
  }

  /// Cancels. The text of an earlier round stays in the file, because it contains the user's edits.
  private func cancelled(_ file: EditorFile, isFirst: Bool) -> AgentReply? {
    if isFirst { file.remove() }
    session.printer.remark(
      "Nothing was changed." + (isFirst ? "" : " Your text is saved in \(file.path)"))
    return nil
  }

  private static func document(_ text: String) -> Result<ContactDocument, ControlFailure> {
    Result { () throws(ControlFailure) in try ContactDocument(text, place: "The text") }
  }

  private func save(
    _ document: Result<ContactDocument, ControlFailure>, _ rounds: inout Rounds
  ) async throws(ControlFailure) -> Outcome {
    let contact: FormValue
    switch document {
    case .success(let document):
      guard let only = document.contacts.first, document.contacts.count == 1 else {
        return .refused([
          ProblemView("The text contains more than one contact. Edit one at a time.")
        ])
      }
      contact = only
    case .failure(let failure): return .refused([ProblemView(failure.message)])
    }
    let mine = ContactDifference(from: rounds.base, to: contact)
    guard !mine.isEmpty else { return .unchanged }
    do {
      guard case .contact(let id) = target else { return .saved(try await add(mine)) }
      return try await merge(mine, into: id, &rounds)
    } catch {
      guard error.code == "constraintViolation" || error.code == "invalidArguments" else {
        throw error
      }
      return .refused(error.problems.isEmpty ? [ProblemView(error)] : error.problems)
    }
  }

  private func add(_ contact: ContactDifference) async throws(ControlFailure) -> AgentReply {
    var properties = contact.changes
    if case .new(let group?) = target { properties[.group] = .text(group) }
    return try await session.agent.send(
      .post, .contacts, query: query, body: FormValue.object(properties))
  }

  /// Saves the changes, unless another device changed the same properties and the user has not seen that.
  private func merge(
    _ mine: ContactDifference, into id: String, _ rounds: inout Rounds
  ) async throws(ControlFailure) -> Outcome {
    // Another device may save between reading and writing; that this happens several times in a row is
    // unlikely.
    for _ in 0..<5 {
      let now = try await session.agent.get(.contact(id))
      let theirs = ContactDifference(from: rounds.base, to: try now.decoded(as: FormValue.self))
      let both = mine.places.intersection(theirs.places)
      if now.version != rounds.seen, !both.isEmpty {
        rounds.seen = now.version
        return .refused(try Self.conflicts(both, now))
      }
      do {
        let reply = try await session.agent.send(
          .patch, .contact(id), query: query, body: FormValue.object(mine.changes),
          ifMatch: now.version)
        return .saved(reply)
      } catch {
        guard error.code == "serverRecordChanged" else { throw error }
      }
    }
    throw .error(
      .serverRecordChanged, "The contact keeps changing on other devices; the edit was not saved.",
      hint: "Try again.")
  }

  private var query: [(String, String)] { profile.map { [(AgentQuery.profile, $0)] } ?? [] }

  /// Returns the properties that both changed as problems. Saving again keeps the user's values.
  private static func conflicts(
    _ places: Set<String>, _ reply: AgentReply
  ) throws(ControlFailure) -> [ProblemView] {
    let contact = try reply.decoded(as: FormValue.self)
    let modified = contact[.modifiedBy]
    let author = (modified?[.deviceName] ?? modified?[.device])?.text ?? "another device"
    return places.sorted().map { place in
      let parts = place.split(separator: "/").map(String.init)
      let entry = contact[parts[0]]?.items.first { $0[.id]?.text == parts.last }
      let value = parts.count == 1 ? contact[place]?.text : entry?[.value]?.text
      let now = value.map { "to “\($0)”" } ?? "or removed it"
      return ProblemView(
        field: place, value: "",
        message: "While you edited, \(author) changed this \(now). Save again to use your value.")
    }
  }

  /// Reports problems and returns whether the user wants to edit again. Without a terminal it throws, and the
  /// text is kept.
  private func reportAndAsk(_ problems: [ProblemView]) throws(ControlFailure) -> Bool {
    let printer = session.printer
    var failure = ControlFailure.error(
      .constraintViolation, problems.map(\.message).joined(separator: "\n"),
      hint: "Nothing was saved.")
    failure.problems = problems.filter { !$0.field.isEmpty }
    guard printer.mayAsk else { throw failure }
    printer.failed(failure)
    let answer = printer.ask("Edit it again? [Y/n]")?.lowercased() ?? "n"
    return answer.isEmpty || answer.hasPrefix("y")
  }
}

extension ProblemView {
  /// A problem with the whole text.
  fileprivate init(_ message: String) {
    self.init(field: "", value: "", message: message)
  }

  fileprivate init(_ failure: ControlFailure) {
    self.init(field: failure.field ?? "", value: "", message: failure.message)
  }
}

extension ControlFailure {
  /// Returns the failure with the path of the file that contains the text.
  fileprivate func keeping(_ path: String) -> ControlFailure {
    var failure = ControlFailure(
      code: code, message: message,
      hint: [hint, "Your text is saved in \(path)"].filter { !$0.isEmpty }
        .joined(separator: " "),
      field: field, exitCode: exitCode)
    failure.problems = problems
    return failure
  }
}
