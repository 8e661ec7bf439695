// Changes a contact, from flags or in the user's editor. Only the given properties are sent, so an edit never
// reverts other changes of another device.

import AgentAPI
import ArgumentParser

/// `edit`: change a contact.
struct EditCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit a contact, with options or in your editor.",
    discussion: """
      A name must be complete; on a terminal, a part of it is confirmed first. Without options, the contact opens as text in $VISUAL or $EDITOR; saving it unchanged \
      changes nothing. ENTRY is the id of a phone, e-mail, address or web address that \
      “contactsctl show” prints, or the beginning of that id. To remove a value, set it to an \
      empty text.
      """)

  @Argument(
    help: ArgumentHelp(
      "The contact's name, its id, or the beginning of its id.", valueName: "id|name"),
    completion: CompletionSource.contacts)
  var words: [String]
  @OptionGroup var contact: ContactFlags
  @OptionGroup var picture: PhotoFlags
  @Flag(help: "Remove the photo.") var noPhoto = false
  @Option(
    help: "Move the contact to this group, by id or title.", completion: CompletionSource.groups)
  var group: String?
  @OptionGroup var entries: EntryFlags
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    guard !entries.isEmpty || !contact.isEmpty || picture.photo != nil || noPhoto || group != nil
    else {
      guard !global.noInput else {
        throw .usage("No changes were given, and --no-input prevents opening an editor.")
      }
      let found = try await find(session).id
      let editor = ContactEditor(
        session: session, target: .contact(found), profile: contact.profile)
      if let reply = try await editor.run() { try report(reply, session.printer) }
      return .done
    }
    var changes = try contact.properties()
    let photo = try picture.file()
    if noPhoto { changes[.photo] = .null }
    if let group { changes[.group] = .text(group) }
    let found = try await find(session)
    try entries.add(to: &changes, of: try found.reply.decoded(as: FormValue.self))
    var reply = try await send(changes, to: found, session)
    if let photo {
      let found = try reply.decoded(as: IdentifiedView.self).id
      reply = try await session.agent.setPhoto(photo, of: found)
    }
    try report(reply, session.printer)
    return .done
  }

  private func report(_ reply: AgentReply, _ printer: Printer) throws(ControlFailure) {
    guard printer.style != .json else { return printer.json(reply.bytes) }
    let contact = try ChangedContact(reply).shown(in: printer.style)
    printer.remark(
      reply.action == nil
        ? "\(contact) has these values already." : "Changed \(contact).\(reply.undoSentence)")
  }

  func validate() throws {
    if noPhoto, picture.photo != nil {
      throw ValidationError("Use either --photo or --no-photo, not both.")
    }
  }

  private func find(
    _ session: CommandSession
  ) async throws(ControlFailure) -> (id: String, reply: AgentReply) {
    try await ContactFinder(session: session)
      .find(words.joined(separator: " "), part: .confirmed)
  }

  /// Sends the changes. Categories are sent whole, so a change of them must be one of the version that was read.
  private func send(
    _ changes: [String: FormValue], to contact: (id: String, reply: AgentReply),
    _ session: CommandSession
  ) async throws(ControlFailure) -> AgentReply {
    try await session.agent.send(
      .patch, .contact(contact.id), query: self.contact.query, body: FormValue.object(changes),
      ifMatch: changes[.categories] == nil ? nil : contact.reply.version)
  }
}
