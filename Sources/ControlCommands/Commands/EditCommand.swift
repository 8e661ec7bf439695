// Changes a contact, from flags or in the user's editor. Only the given properties are sent, so an edit never
// reverts other changes of another device.

import AgentAPI
import ArgumentParser
import Contacts
import Records

/// `edit`: change a contact.
struct EditCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit a contact, with options or in your editor.",
    discussion: """
      Without options, the contact opens as text in $VISUAL or $EDITOR; saving it unchanged \
      changes nothing. ENTRY is the id of a phone, e-mail or address that “contactsctl show” \
      prints, or the beginning of that id. To remove a value, set it to an empty text.
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
  @Option(help: ArgumentHelp("Change a phone number.", valueName: "entry=[label:]number"))
  var setPhone: [String] = []
  @Option(help: ArgumentHelp("Remove a phone number.", valueName: "entry"))
  var rmPhone: [String] = []
  @Option(help: ArgumentHelp("Change an e-mail address.", valueName: "entry=[label:]address"))
  var setEmail: [String] = []
  @Option(help: ArgumentHelp("Remove an e-mail address.", valueName: "entry"))
  var rmEmail: [String] = []
  @Option(
    help: ArgumentHelp(
      "Change the given parts of a postal address.", valueName: "entry=[label:]part=text"))
  var setAddress: [String] = []
  @Option(help: ArgumentHelp("Remove a postal address.", valueName: "entry"))
  var rmAddress: [String] = []
  @Option(
    help: ArgumentHelp(
      "Change the label of a phone, an e-mail or an address.", valueName: "entry=label"))
  var label: [String] = []
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    guard namesEntries || !contact.isEmpty || picture.photo != nil || noPhoto || group != nil else {
      guard !global.noInput else {
        throw .usage("No changes were given, and --no-input prevents opening an editor.")
      }
      let found = try await find(session).id
      let editor = ContactEditor(
        session: session, target: .contact(found), profile: contact.profile)
      if let reply = try await editor.run(), session.printer.style == .json {
        session.printer.json(reply.bytes)
      }
      return .done
    }
    var changes = try contact.properties()
    let photo = try picture.file()
    if noPhoto { changes[.photo] = .null }
    if let group { changes[.group] = .text(group) }
    let found = try await find(session)
    if namesEntries { try add(entryChanges: found.reply, to: &changes) }
    var reply = try await send(changes, to: found.id, session)
    if let photo {
      let found = try reply.decoded(as: IdentifiedView.self).id
      reply = try await session.agent.setPhoto(photo, of: found)
    }
    if session.printer.style == .json { session.printer.json(reply.bytes) }
    return .done
  }

  func validate() throws {
    if noPhoto, picture.photo != nil {
      throw ValidationError("Use either --photo or --no-photo, not both.")
    }
  }

  private func find(
    _ session: CommandSession
  ) async throws(ControlFailure) -> (id: String, reply: AgentReply) {
    try await ContactFinder(session: session).find(words.joined(separator: " "), mayBePart: true)
  }

  private func send(
    _ changes: [String: FormValue], to id: String, _ session: CommandSession
  ) async throws(ControlFailure) -> AgentReply {
    try await session.agent.send(
      .patch, .contact(id), query: contact.query, body: FormValue.object(changes))
  }

  private var namesEntries: Bool {
    !(setPhone + rmPhone + setEmail + rmEmail + setAddress + rmAddress + label).isEmpty
  }

  /// Adds the changes to entries. Only the agent knows complete entry ids, and the lists of the entries.
  private func add(
    entryChanges reply: AgentReply, to changes: inout [String: FormValue]
  ) throws(ControlFailure) {
    let entries = EntryIndex(try reply.decoded(as: FormValue.self))
    var edits: [ContactList: [FormValue]] = [:]
    let values: [(ContactList, LabeledKind, [String], String)] = [
      (.phones, .phone, setPhone, "--set-phone"), (.emails, .email, setEmail, "--set-email"),
    ]
    for (list, kind, texts, flag) in values {
      for text in texts {
        let argument = try EntryArgument(text, flag: flag)
        let value = LabeledArgument(argument.rest, kind: kind, separator: ":")
        var change: [String: FormValue] = [ContactItem.Key.value.name: .text(value.value)]
        if let label = value.label { change[.label] = .text(label) }
        change[.id] = .text(try entries.find(argument.entry, in: [list]).id)
        edits[list, default: []].append(.object(change))
      }
    }
    for text in setAddress {
      let argument = try EntryArgument(text, flag: "--set-address")
      var change = try AddressArgument(argument.rest, flag: "--set-address").entry
      change[.id] = .text(try entries.find(argument.entry, in: [.addresses]).id)
      edits[.addresses, default: []].append(.object(change))
    }
    for text in label {
      let argument = try EntryArgument(text, flag: "--label")
      let found = try entries.find(argument.entry, in: EntryIndex.lists)
      edits[found.list, default: []].append(
        .entry([.id: .text(found.id), .label: .text(argument.rest)]))
    }
    let removed: [(ContactList, [String])] = [
      (.phones, rmPhone), (.emails, rmEmail), (.addresses, rmAddress),
    ]
    for (list, texts) in removed {
      for text in texts {
        let found = try entries.find(text, in: [list])
        edits[list, default: []].append(
          .entry([.id: .text(found.id), .removed: .flag(true)]))
      }
    }
    for (list, entries) in edits {
      changes[list.rawValue] = .list(entries + (changes[list.rawValue]?.items ?? []))
    }
  }
}
