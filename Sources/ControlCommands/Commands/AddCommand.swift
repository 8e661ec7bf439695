// New contacts, from flags or from a text. A text may contain several. Each is added separately, so a
// rejected one does not affect the others.

import AgentAPI
import ArgumentParser
import Records

/// `add`: a new contact.
struct AddCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a contact and print its id.",
    discussion: """
      A label is any word: “home”, “work”, “boat”; “contactsctl labels” lists the usual ones. With \
      -i a file contains one contact or a list of contacts, as YAML or JSON, in the form that \
      “contactsctl show ID --json” prints. Without options, on a terminal, your editor opens.
      """, aliases: ["new"])

  @OptionGroup var contact: ContactFlags
  @OptionGroup var picture: PhotoFlags
  @Option(help: "The contact's group, by id or title.", completion: CompletionSource.groups)
  var group: String?
  @Option(
    name: .customShort("i"),
    help: ArgumentHelp("Read from a file; - is standard input.", valueName: "file"),
    completion: .file())
  var input: String?
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    if input != nil, !contact.isEmpty || picture.photo != nil {
      throw ValidationError(
        "-i reads the whole contact and cannot be combined with options for its fields.")
    }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    if input == nil, contact.isEmpty, session.printer.mayAsk {
      let editor = ContactEditor(
        session: session, target: .new(group: group), profile: contact.profile)
      let reply = try await editor.run()
      return try await finish([reply].compactMap(\.self), session)
    }
    guard let input else {
      let photo = try picture.file()
      let added = try await add(try contact.properties(), session)
      return try await finish([try await add(photo, to: added, session)], session)
    }
    let place = input == "-" ? "The input" : input
    let contacts = try ContactDocument(try InputFile.text(at: input), place: place).contacts
    var replies: [AgentReply] = []
    var first: ControlFailure?
    for (index, contact) in contacts.enumerated() {
      do {
        replies.append(try await add(Self.new(contact), session))
      } catch {
        guard contacts.count > 1, error.exitCode == .content else { throw error }
        session.printer.failed(error.prefixed(with: "\(place), contact \(index + 1)"))
        first = first ?? error
      }
    }
    _ = try await finish(replies, session)
    return first?.exitCode ?? .done
  }

  private func add(
    _ properties: [String: FormValue], _ session: CommandSession
  ) async throws(ControlFailure) -> AgentReply {
    var properties = properties
    if let group { properties[.group] = .text(group) }
    return try await session.agent.send(
      .post, .contacts, query: contact.query, body: FormValue.object(properties))
  }

  /// Sets the photo of a new contact. If that fails, the contact exists anyway, and is printed.
  private func add(
    _ photo: PhotoFile?, to added: AgentReply, _ session: CommandSession
  ) async throws(ControlFailure) -> AgentReply {
    guard let photo else { return added }
    let id = try added.decoded(as: IdentifiedView.self).id
    do {
      return try await session.agent.setPhoto(photo, of: id)
    } catch {
      guard error.code != RecordsError.Code.unknownItem.rawValue else {
        throw .error(
          .unknownItem, "The broker rejected the contact (\(id)) before its photo was added.",
          hint: "To see why: contactsctl refused list. Then “contactsctl refused retry” adds it "
            + "again, and “contactsctl edit \(id) --photo FILE” adds the photo.")
      }
      throw ControlFailure(
        code: error.code,
        message: "The contact was added (\(id)), but without its photo: \(error.message)",
        hint: error.hint, exitCode: error.exitCode)
    }
  }

  /// Removes the ids of a contact that was printed before and of its entries, because it is added as a new
  /// one.
  private static func new(_ contact: FormValue) -> [String: FormValue] {
    guard case .object(let properties) = contact else { return [:] }
    var result = properties.filter { !ContactDifference.readOnly.contains($0.key) }
    for (name, value) in result where value.isList {
      result[name] = .list(
        value.items.map { item in
          guard case .object(let entry) = item else { return item }
          return .object(entry.filter { $0.key != ContactItem.Key.id.name })
        })
    }
    return result
  }

  /// Names the group, if the user gave one: two groups can have the same title.
  private func nameGroup(
    of replies: [AgentReply], _ session: CommandSession
  ) async throws(ControlFailure) {
    guard session.printer.style == .terminal, group != nil, let last = replies.last,
      let id = try last.decoded(as: FormValue.self)[.group]?.text
    else { return }
    session.printer.remark("Added to “\(await session.agent.heading(ofGroup: id))”.")
  }

  private func finish(
    _ replies: [AgentReply], _ session: CommandSession
  ) async throws(ControlFailure) -> ExitStatus {
    if session.printer.style == .json {
      session.printer.json(
        replies.count == 1
          ? replies[0].bytes : JSONText.list(ContactsView.listKey, of: replies.map(\.bytes)))
    } else {
      var rows: [[String]] = []
      for reply in replies { rows.append([try reply.decoded(as: IdentifiedView.self).id]) }
      await session.printer.rows(rows, whole: [0])
      try await nameGroup(of: replies, session)
    }
    return .done
  }
}

extension ControlFailure {
  /// Returns the failure with the name of one of several contacts before each line.
  fileprivate func prefixed(with place: String) -> ControlFailure {
    var failure = ControlFailure(
      code: code,
      message: message.split(separator: "\n").map { "\(place): \($0)" }.joined(separator: "\n"),
      hint: hint, field: field, exitCode: exitCode)
    failure.problems = problems
    return failure
  }
}
