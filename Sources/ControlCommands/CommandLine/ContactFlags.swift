// The flags for the properties of a contact, shared by `add` and `edit`. They are not validated here: the
// agent does that, so that a script and a user get the same errors.

import AgentAPI
import ArgumentParser
import Contacts

/// Flags for the properties of a contact.
struct ContactFlags: ParsableArguments, Sendable {
  @OptionGroup var text: TextFlags
  @Option(help: ArgumentHelp("A phone number. Can be repeated.", valueName: "[label=]number"))
  var phone: [String] = []
  @Option(help: ArgumentHelp("An e-mail address. Can be repeated.", valueName: "[label=]address"))
  var email: [String] = []
  @Option(
    help: ArgumentHelp(
      "A postal address: street1, street2, city, state, zipcode, country. Can be repeated.",
      valueName: "[label:]part=text,part=text"))
  var address: [String] = []
  @Option(help: ArgumentHelp("A web address. Can be repeated.", valueName: "[label=]address"))
  var url: [String] = []
  @Option(help: ArgumentHelp("Categories. Can be repeated.", valueName: "word,word"))
  var category: [String] = []
  @Flag(inversion: .prefixedNo, help: "Whether this is an emergency contact.")
  var emergency: Bool?
  @Option(
    help: ArgumentHelp(
      "The validation rules to apply instead of the device's.", valueName: "standard|us-form"))
  var profile: String?

  /// Whether no property was given.
  var isEmpty: Bool {
    text.texts.isEmpty && phone.isEmpty && email.isEmpty && address.isEmpty && url.isEmpty
      && category.isEmpty && emergency == nil
  }

  /// The query parameters in addition to the contact.
  var query: [(String, String)] { profile.map { [(AgentQuery.profile, $0)] } ?? [] }

  /// The given properties in the agent's form, with new entries.
  func properties() throws(ControlFailure) -> [String: FormValue] {
    var result = text.texts
    if let emergency { result[.emergency] = .flag(emergency) }
    if !category.isEmpty {
      result[.categories] = .list(category.flatMap(FormValue.words))
    }
    let values: [(ContactList, LabeledKind, [String])] = [
      (.phones, .phone, phone), (.emails, .email, email), (.urls, .url, url),
    ]
    for (list, kind, texts) in values where !texts.isEmpty {
      result[list.rawValue] = try Self.entries(texts, kind: kind)
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

  /// Parses new entries.
  private static func entries(
    _ texts: [String], kind: LabeledKind
  ) throws(ControlFailure) -> FormValue {
    var entries: [FormValue] = []
    for text in texts {
      let argument = try LabeledArgument(typed: text, kind: kind, flag: "--\(kind)")
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
