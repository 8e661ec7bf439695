// A whole contact as somebody wants it to be: a form, an edited text, a card. It has no identity
// and no positions; its entries name those they are to replace, or none.

import Records

/// A whole contact as a person wants it to be; entries without an id are new.
package struct ContactDraft: Hashable, Sendable {
  /// One entry of a list.
  package struct DraftEntry: Hashable, Sendable {
    /// The entry that is to say this; `nil` for a new one.
    package var id: EntryID?
    /// What it is to say; what is not named, it does not say.
    package var texts: [EntryText: String]
    /// The bytes of another property's value; see `OtherProperty.content`.
    package var content: ContactMedia?

    /// An entry that is to say `texts`.
    package init(id: EntryID? = nil, texts: [EntryText: String], content: ContactMedia? = nil) {
      self.id = id
      self.texts = texts.filter { !$0.value.isEmpty }
      self.content = content
    }

    /// An entry that is to say `value`.
    package init(id: EntryID? = nil, label: String = "", value: String) {
      self.init(id: id, texts: [.label: label, .value: value])
    }

    /// What it says under `property`; empty for nothing.
    package subscript(property: EntryText) -> String {
      get { texts[property] ?? "" }
      set { texts[property] = newValue.isEmpty ? nil : newValue }
    }
  }

  /// The texts; those not named are empty.
  package var texts: [ContactText: String] = [:]
  /// The lists; those not named are empty.
  package var lists: [ContactList: [DraftEntry]] = [:]
  /// The departments, the largest first.
  package var departments: [String] = []
  /// The categories.
  package var categories: [String] = []
  /// Whether this is somebody to call in an emergency.
  package var isEmergency = false
  /// The picture.
  package var photo: ContactPhoto?

  /// A draft of what is given.
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

  /// The draft that leaves `contact` as it is.
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

  /// The draft with its new entries taken for those of `contact` that say nearly the same, each
  /// once: first those of the same substance, then those of the same label. So a card that is read
  /// again changes its entries instead of exchanging them.
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
      // By what they are like, in reverse order, so that the first is taken first.
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

  /// What two entries have in common that are taken for one.
  private struct Likeness: Hashable {
    let texts: [String]
    let content: ContactMedia?
  }
}

extension Contact {
  /// The entries of a list as a draft that leaves them as they are.
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
      id: id, texts: details.texts.merging([.label: label, .value: value]) { $1 })
  }
}

extension PostalAddress {
  fileprivate var draft: ContactDraft.DraftEntry {
    let texts: [EntryText: String] = [
      .label: label, .poBox: poBox, .street1: street1, .street2: street2, .city: city,
      .state: state, .zipcode: zipcode, .country: country, .countryCode: countryCode,
    ]
    return ContactDraft.DraftEntry(id: id, texts: details.texts.merging(texts) { $1 })
  }
}

extension OtherProperty {
  fileprivate var draft: ContactDraft.DraftEntry {
    let texts: [EntryText: String] = [
      .group: group, .name: name, .parameters: parameters, .value: value, .restates: restates,
    ]
    return ContactDraft.DraftEntry(id: id, texts: texts, content: content)
  }
}

extension EntryDetails {
  fileprivate var texts: [EntryText: String] {
    guard !isEmpty else { return [:] }
    return [
      .kinds: kinds, .preference: preference.map { String($0) } ?? "", .group: group,
      .name: name, .parameters: parameters,
    ]
  }
}
