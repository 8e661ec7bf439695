// Changes to a contact, from flags alone. Only what is named is sent, so an edit never undoes what
// another device changed beside it.

import ArgumentParser
import Records

/// `edit`: changes to a contact.
struct EditVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a contact.",
    discussion: """
      ENTRY is the id of a phone or e-mail as `show` prints it, or the beginning of it. An empty \
      name removes the name.
      """)

  @Argument(help: "The contact's id.") var id: String
  @Option(help: "First name.") var first: String?
  @Option(help: "Last name.") var last: String?
  @Option(help: "Company.") var company: String?
  @Option(help: ArgumentHelp("Adds a phone.", valueName: "[label=]number"))
  var phone: [String] = []
  @Option(help: ArgumentHelp("Changes a phone.", valueName: "entry=[label:]number"))
  var setPhone: [String] = []
  @Option(help: ArgumentHelp("Removes a phone.", valueName: "entry"))
  var rmPhone: [String] = []
  @Option(help: ArgumentHelp("Adds an e-mail.", valueName: "[label=]address"))
  var email: [String] = []
  @Option(help: ArgumentHelp("Changes an e-mail.", valueName: "entry=[label:]address"))
  var setEmail: [String] = []
  @Option(help: ArgumentHelp("Removes an e-mail.", valueName: "entry"))
  var rmEmail: [String] = []
  @Option(help: ArgumentHelp("Relabels a phone or e-mail.", valueName: "entry=label"))
  var label: [String] = []
  @OptionGroup var global: GlobalFlags

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let form = try await form(asking: session.agent)
    let reply = try await session.agent.send(.patch, ["contacts", id], body: form)
    if session.printer.style == .json { session.printer.json(reply.bytes) }
    return .done
  }

  private var namesEntries: Bool {
    !(setPhone + rmPhone + setEmail + rmEmail + label).isEmpty
  }

  private func form(asking agent: AgentClient) async throws(ControlFailure) -> ContactForm {
    var form = ContactForm(firstName: first, lastName: last, company: company)
    var phones = phone.map { AddVerb.entry($0, kind: .phone) }
    var emails = email.map { AddVerb.entry($0, kind: .email) }
    if namesEntries {
      // Only the agent knows whole entry ids, and which list an entry stands in.
      let contact = try await agent.get(["contacts", id]).decoded(as: ContactView.self)
      phones += try changes(setPhone, rmPhone, in: contact.phones, kind: .phone)
      emails += try changes(setEmail, rmEmail, in: contact.emails, kind: .email)
      for text in label {
        let argument = try EntryArgument(text, flag: "--label")
        let all = contact.phones + contact.emails
        let entry = try Self.find(argument.entry, in: all)
        let change = ContactForm.Entry(id: entry, label: argument.rest)
        if contact.phones.contains(where: { $0.id == entry }) {
          phones.append(change)
        } else {
          emails.append(change)
        }
      }
    }
    form.phones = phones.isEmpty ? nil : phones
    form.emails = emails.isEmpty ? nil : emails
    guard [first, last, company].contains(where: { $0 != nil }) || !(phones + emails).isEmpty
    else { throw .usage("Nothing to change was named.") }
    return form
  }

  private func changes(
    _ set: [String], _ removed: [String], in entries: [ContactView.Labeled], kind: LabeledKind
  ) throws(ControlFailure) -> [ContactForm.Entry] {
    var result: [ContactForm.Entry] = []
    for text in set {
      let argument = try EntryArgument(text, flag: kind == .phone ? "--set-phone" : "--set-email")
      let value = LabeledArgument(argument.rest, kind: kind, separator: ":")
      let entry = try Self.find(argument.entry, in: entries)
      result.append(ContactForm.Entry(id: entry, label: value.label, value: value.value))
    }
    for text in removed {
      result.append(ContactForm.Entry(id: try Self.find(text, in: entries), removed: true))
    }
    return result
  }

  /// The id of the one entry that begins with `prefix`.
  static func find(
    _ prefix: String, in entries: [ContactView.Labeled]
  ) throws(ControlFailure) -> String {
    let wanted = prefix.lowercased()
    let found = entries.filter { !wanted.isEmpty && $0.id.hasPrefix(wanted) }
    if found.count == 1 { return found[0].id }
    let shown = PlainText.clean(prefix)
    if found.isEmpty {
      throw .error(
        .unknownItem, "The contact has no entry “\(shown)”.",
        hint: "contactsctl show ID prints the ids of its entries.")
    }
    throw .error(
      .invalidArguments, "“\(shown)” could be \(found.count) entries.", hint: "Type more of it.")
  }
}
