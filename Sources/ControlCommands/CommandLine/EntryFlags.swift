// The flags of `edit` for entries that a contact has: phones, e-mails, addresses, web addresses and categories.
// An entry is named by the beginning of its id, which only the agent knows whole, so they are resolved with the
// contact.

import AgentAPI
import ArgumentParser
import Contacts
import Records

/// Flags that change or remove entries of a contact.
struct EntryFlags: ParsableArguments, Sendable {
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
  @Option(help: ArgumentHelp("Change a web address.", valueName: "entry=[label=]address"))
  var setURL: [String] = []
  @Option(help: ArgumentHelp("Remove a web address.", valueName: "entry"))
  var rmURL: [String] = []
  @Option(
    help: ArgumentHelp(
      "Change the label of a phone, an e-mail, an address or a web address.",
      valueName: "entry=label"))
  var label: [String] = []
  @Option(help: ArgumentHelp("Remove categories.", valueName: "word,word"))
  var rmCategory: [String] = []

  /// Whether no flag was given.
  var isEmpty: Bool {
    (setPhone + rmPhone + setEmail + rmEmail + setAddress + rmAddress + setURL + rmURL + label
      + rmCategory).isEmpty
  }

  /// Adds the changes of `contact` to `changes`, before the new entries that are there.
  func add(to changes: inout [String: FormValue], of contact: FormValue) throws(ControlFailure) {
    let index = EntryIndex(contact)
    let changed =
      try newValues(index) + newAddresses(index) + newLabels(index) + removals(index)
    for (list, edits) in Dictionary(grouping: changed, by: \.list) {
      changes[list.rawValue] = .list(
        edits.map(\.entry) + (changes[list.rawValue]?.items ?? []))
    }
    try addCategories(to: &changes, of: contact)
  }

  /// A changed entry in the agent's form, and its list.
  private typealias Change = (list: ContactList, entry: FormValue)

  private func newValues(_ entries: EntryIndex) throws(ControlFailure) -> [Change] {
    let values: [(ContactList, LabeledKind, [String], String)] = [
      (.phones, .phone, setPhone, "--set-phone"), (.emails, .email, setEmail, "--set-email"),
      (.urls, .url, setURL, "--set-url"),
    ]
    var changes: [Change] = []
    for (list, kind, texts, flag) in values {
      for text in texts {
        let argument = try EntryArgument(text, flag: flag)
        var change = LabeledArgument(newValue: argument.rest, kind: kind).change
        change[.id] = .text(try entries.find(argument.entry, in: [list]).id)
        changes.append((list, .object(change)))
      }
    }
    return changes
  }

  private func newAddresses(_ entries: EntryIndex) throws(ControlFailure) -> [Change] {
    var changes: [Change] = []
    for text in setAddress {
      let argument = try EntryArgument(text, flag: "--set-address")
      var change = try AddressArgument(argument.rest, flag: "--set-address").entry
      change[.id] = .text(try entries.find(argument.entry, in: [.addresses]).id)
      changes.append((.addresses, .object(change)))
    }
    return changes
  }

  private func newLabels(_ entries: EntryIndex) throws(ControlFailure) -> [Change] {
    var changes: [Change] = []
    for text in label {
      let argument = try EntryArgument(text, flag: "--label")
      let found = try entries.find(argument.entry, in: EntryIndex.lists)
      changes.append(
        (found.list, .entry([.id: .text(found.id), .label: .text(argument.rest)])))
    }
    return changes
  }

  private func removals(_ entries: EntryIndex) throws(ControlFailure) -> [Change] {
    let removed: [(ContactList, [String])] = [
      (.phones, rmPhone), (.emails, rmEmail), (.addresses, rmAddress), (.urls, rmURL),
    ]
    var changes: [Change] = []
    for (list, texts) in removed {
      for text in texts {
        let id = try entries.find(text, in: [list]).id
        changes.append((list, .entry([.id: .text(id), .removed: .flag(true)])))
      }
    }
    return changes
  }

  /// The agent takes all categories at once, so new ones are added to those of the contact.
  private func addCategories(
    to changes: inout [String: FormValue], of contact: FormValue
  ) throws(ControlFailure) {
    let new = changes[.categories]?.items ?? []
    guard !new.isEmpty || !rmCategory.isEmpty else { return }
    let present = contact[.categories]?.items ?? []
    // A category that came from a card may contain a comma.
    let removed = rmCategory.flatMap { word in
      present.contains(.text(word)) ? [.text(word)] : FormValue.words(word)
    }
    if let missing = removed.first(where: { !present.contains($0) })?.text {
      let words = present.compactMap(\.text).joined(separator: ", ")
      throw .error(
        .unknownItem,
        "The contact has no category “\(PlainText.clean(missing))”; nothing was changed.",
        hint: words.isEmpty ? "" : "Its categories are: \(PlainText.clean(words)).")
    }
    changes[.categories] = .list(
      present.filter { !removed.contains($0) } + new.filter { !present.contains($0) })
  }
}

extension LabeledArgument {
  /// The properties that `--set-…` changes. Without a label, the entry keeps its own.
  fileprivate var change: [String: FormValue] {
    var change: [String: FormValue] = [ContactItem.Key.value.name: .text(value)]
    if let label { change[.label] = .text(label) }
    return change
  }
}
