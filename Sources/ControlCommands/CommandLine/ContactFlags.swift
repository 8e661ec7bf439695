// The flags for the properties of a contact, shared by `add` and `edit`. They are not validated here: the
// agent does that, so that a script and a user get the same errors.

import AgentAPI
import ArgumentParser
import Contacts

/// Flags for the properties of a contact.
struct ContactFlags: ParsableArguments, Sendable {
  @Option(help: "First name.") var first: String?
  @Option(help: "Last name.") var last: String?
  @Option(help: "Company.") var company: String?
  @Option(help: ArgumentHelp("A phone number. Can be repeated.", valueName: "[label=]number"))
  var phone: [String] = []
  @Option(help: ArgumentHelp("An e-mail address. Can be repeated.", valueName: "[label=]address"))
  var email: [String] = []
  @Option(
    help: ArgumentHelp(
      "A postal address: street1, street2, city, state, zipcode, country. Can be repeated.",
      valueName: "[label:]part=text,part=text"))
  var address: [String] = []
  @Flag(inversion: .prefixedNo, help: "Whether this is an emergency contact.")
  var emergency: Bool?
  @Option(help: ArgumentHelp("The birthday.", valueName: "1984-06-05|--06-05"))
  var birthday: String?
  @Option(help: "A note.") var note: String?
  @Option(help: "The job title.") var title: String?
  @Option(
    help: ArgumentHelp(
      "The validation rules to apply instead of the device's.", valueName: "standard|us-form"))
  var profile: String?

  /// Whether no property was given.
  var isEmpty: Bool {
    texts.isEmpty && phone.isEmpty && email.isEmpty && address.isEmpty
      && emergency == nil
  }

  /// The query parameters in addition to the contact.
  var query: [(String, String)] { profile.map { [(AgentQuery.profile, $0)] } ?? [] }

  /// The given properties in the agent's form, with new entries.
  func properties() throws(ControlFailure) -> [String: FormValue] {
    var result = texts.mapValues { FormValue.text($0) }
    if let emergency { result[.emergency] = .flag(emergency) }
    if !phone.isEmpty {
      result[ContactList.phones.rawValue] = try Self.entries(phone, kind: .phone, flag: "--phone")
    }
    if !email.isEmpty {
      result[ContactList.emails.rawValue] = try Self.entries(email, kind: .email, flag: "--email")
    }
    if !address.isEmpty {
      var entries: [FormValue] = []
      for text in address {
        entries.append(.object(try AddressArgument(text, flag: "--address").entry))
      }
      result[ContactList.addresses.rawValue] = .list(entries)
    }
    return result
  }

  private var texts: [String: String] {
    let all: [ContactText: String?] = [
      .firstName: first, .lastName: last, .company: company, .birthday: birthday, .note: note,
      .title: title,
    ]
    return Dictionary(
      uniqueKeysWithValues: all.compactMap { text, value in value.map { (text.rawValue, $0) } })
  }

  /// Parses new entries.
  private static func entries(
    _ texts: [String], kind: LabeledKind, flag: String
  ) throws(ControlFailure) -> FormValue {
    var entries: [FormValue] = []
    for text in texts {
      let argument = try LabeledArgument(typed: text, kind: kind, flag: flag)
      entries.append(
        .entry([.label: .text(argument.label ?? ""), .value: .text(argument.value)]))
    }
    return .list(entries)
  }

  func validate() throws {
    if let profile, !["standard", "us-form"].contains(profile) {
      throw ValidationError("--profile must be standard or us-form.")
    }
  }
}
