// A new contact, from flags alone. What is valid is decided by the agent, so a script and a person
// are told the same.

import ArgumentParser

/// `add`: a new contact.
struct AddVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a contact and print its id.")

  @Option(help: "First name.") var first: String?
  @Option(help: "Last name.") var last: String?
  @Option(help: "Company.") var company: String?
  @Option(help: ArgumentHelp("A phone; may be repeated.", valueName: "[label=]number"))
  var phone: [String] = []
  @Option(help: ArgumentHelp("An e-mail; may be repeated.", valueName: "[label=]address"))
  var email: [String] = []
  @Option(help: "The group it goes into, by id or title.") var group: String?
  @OptionGroup var global: GlobalFlags

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let form = ContactForm(
      firstName: first, lastName: last, company: company, group: group,
      phones: phone.map { Self.entry($0, kind: .phone) },
      emails: email.map { Self.entry($0, kind: .email) })
    let reply = try await session.agent.send(.post, ["contacts"], body: form)
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      session.printer.row([try reply.decoded(as: ContactView.self).id])
    }
    return .done
  }

  /// A new entry from `[LABEL=]VALUE`.
  static func entry(_ text: String, kind: LabeledKind) -> ContactForm.Entry {
    let argument = LabeledArgument(text, kind: kind)
    return ContactForm.Entry(label: argument.label ?? "", value: argument.value)
  }
}
