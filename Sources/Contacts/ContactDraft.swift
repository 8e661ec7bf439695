// The desired content of a contact, from a form, an edited text or a card. A draft has no record name and no
// positions; its entries name the ones they replace, or none.

import Records

/// The desired content of a contact. Entries without an id are new.
package struct ContactDraft: Hashable, Sendable {
  /// One entry of a list.
  package struct DraftEntry: Hashable, Sendable {
    /// The entry to replace; `nil` for a new one.
    package var id: EntryID?
    /// The texts of the entry; texts that are not listed are empty.
    package var texts: CaseValues<EntryText, String>
    /// The content of another property's value as bytes; see `OtherProperty.content`.
    package var content: ContactMedia?

    /// Creates an entry with these texts.
    package init(
      id: EntryID? = nil, texts: CaseValues<EntryText, String>, content: ContactMedia? = nil
    ) {
      self.id = id
      self.texts = texts.filter { !$0.value.isEmpty }
      self.content = content
    }

    /// Creates an entry with a label and a value.
    package init(id: EntryID? = nil, label: String = "", value: String) {
      self.init(id: id, texts: [.label: label, .value: value])
    }

    /// The text of `property`; empty if the entry has none.
    package subscript(property: EntryText) -> String {
      get { texts[property] ?? "" }
      set { texts[property] = newValue.isEmpty ? nil : newValue }
    }
  }

  /// The texts; texts that are not listed are empty.
  package var texts: CaseValues<ContactText, String> = [:]
  /// The lists; lists that are not listed are empty.
  package var lists: CaseValues<ContactList, [DraftEntry]> = [:]
  /// The departments, the largest first.
  package var departments: [String] = []
  /// The categories.
  package var categories: [String] = []
  /// Whether this is an emergency contact.
  package var isEmergency = false
  /// The picture.
  package var photo: ContactPhoto?

  /// Creates a draft with these fields.
  package init(
    firstName: String = "", lastName: String = "", company: String = "",
    phones: [DraftEntry] = [], emails: [DraftEntry] = []
  ) {
    self[.firstName] = firstName
    self[.lastName] = lastName
    self[.company] = company
    self[.phones] = phones
    self[.emails] = emails
  }

  /// Creates the draft that leaves `contact` unchanged.
  package init(_ contact: Contact) {
    for text in ContactText.allCases { self[text] = contact[text] }
    for list in ContactList.allCases { self[list] = contact.draftEntries(list) }
    departments = contact.departments
    categories = contact.categories
    isEmergency = contact.isEmergency
    photo = contact.photo
  }

  /// A property that is one text; empty for none.
  package subscript(text: ContactText) -> String {
    get { texts[text] ?? "" }
    set { texts[text] = newValue.isEmpty ? nil : newValue }
  }

  /// The entries of a list.
  package subscript(list: ContactList) -> [DraftEntry] {
    get { lists[list] ?? [] }
    set { lists[list] = newValue.isEmpty ? nil : newValue }
  }

  /// Returns the draft with its new entries matched to similar entries of `contact`, each at most once: first
  /// by substance, then by label. Importing a card again therefore changes its entries instead of replacing
  /// them.
  package func matched(to contact: Contact) -> ContactDraft {
    var result = self
    for list in ContactList.allCases {
      result[list] = Self.matched(self[list], to: contact.draftEntries(list), list)
    }
    return result
  }

  private static func matched(
    _ new: [DraftEntry], to old: [DraftEntry], _ list: ContactList
  ) -> [DraftEntry] {
    var result = new
    let taken = Set(new.compactMap(\.id))
    var free = Set(old.compactMap(\.id)).subtracting(taken)
    let likenesses: [(DraftEntry) -> [String]] = [
      { entry in list.properties.map { entry[$0] } },
      { entry in list.substance.map { entry[$0] } },
      { entry in [entry[.label], entry[.name]] },
    ]
    for likeness in likenesses where !free.isEmpty {
      func key(_ entry: DraftEntry) -> Likeness {
        Likeness(texts: likeness(entry), content: entry.content)
      }
      // Ids by likeness, in reverse order, so that the first entry is matched first.
      var alike: [Likeness: [EntryID]] = [:]
      for entry in old.reversed() {
        if let id = entry.id, free.contains(id) { alike[key(entry), default: []].append(id) }
      }
      for index in result.indices where result[index].id == nil {
        guard let id = alike[key(result[index])]?.popLast() else { continue }
        result[index].id = id
        free.remove(id)
      }
    }
    return result
  }

  /// The common part of two entries that are matched.
  private struct Likeness: Hashable {
    let texts: [String]
    let content: ContactMedia?
  }
}

extension Contact {
  /// Returns the entries of a list as a draft that leaves them unchanged.
  package func draftEntries(_ list: ContactList) -> [ContactDraft.DraftEntry] {
    switch list {
    case .phones: phones.map(\.draft)
    case .emails: emails.map(\.draft)
    case .urls: urls.map(\.draft)
    case .instantMessages: instantMessages.map(\.draft)
    case .dates: dates.map(\.draft)
    case .related: related.map(\.draft)
    case .addresses: addresses.map(\.draft)
    case .other: other.map(\.draft)
    }
  }
}

extension LabeledValue {
  fileprivate var draft: ContactDraft.DraftEntry {
    ContactDraft.DraftEntry(
      id: id, texts: details.texts.merging([.label: label, .value: value]))
  }
}

extension PostalAddress {
  fileprivate var draft: ContactDraft.DraftEntry {
    let texts: CaseValues<EntryText, String> = [
      .label: label, .poBox: poBox, .street1: street1, .street2: street2, .city: city,
      .state: state, .zipcode: zipcode, .country: country, .countryCode: countryCode,
    ]
    return ContactDraft.DraftEntry(id: id, texts: details.texts.merging(texts))
  }
}

extension OtherProperty {
  fileprivate var draft: ContactDraft.DraftEntry {
    let texts: CaseValues<EntryText, String> = [
      .group: group, .name: name, .parameters: parameters, .value: value, .restates: restates,
    ]
    return ContactDraft.DraftEntry(id: id, texts: texts, content: content)
  }
}

extension EntryDetails {
  fileprivate var texts: CaseValues<EntryText, String> {
    guard !isEmpty else { return [:] }
    return [
      .kinds: kinds, .preference: preference.map { String($0) } ?? "", .group: group,
      .name: name, .parameters: parameters,
    ]
  }
}
