// A person's changes to a contact, as changes to its record's fields. Fields and entry properties that the
// edit does not name are neither read nor written. Setting a text to the empty text removes its field: both
// mean the same to people, and predicates handle absent fields better.

import Records

/// Changes to one contact: texts set, entries added, changed and removed.
package struct ContactEdit: Hashable, Sendable {
  /// A change to one list of entries.
  package enum EntryEdit: Hashable, Sendable {
    /// A new entry at the end of the list.
    case insert(CaseValues<EntryText, String>, content: ContactMedia? = nil)
    /// Changes texts of an entry. Texts that are not listed remain; empty ones are removed.
    case update(EntryID, CaseValues<EntryText, String>)
    /// Removes the entry.
    case remove(EntryID)

    /// A new entry at the end of the list.
    package static func add(label: String, value: String) -> EntryEdit {
      .insert(label.isEmpty ? [.value: value] : [.label: label, .value: value])
    }

    /// Changes the label or the value of an entry; `nil` leaves it unchanged.
    package static func change(_ id: EntryID, label: String?, value: String?) -> EntryEdit {
      var texts: CaseValues<EntryText, String> = [:]
      texts[.label] = label
      texts[.value] = value
      return .update(id, texts)
    }
  }

  /// A change to the picture.
  package enum PhotoEdit: Hashable, Sendable {
    /// Replaces the picture.
    case set(ContactPhoto)
    /// Removes the picture.
    case remove
  }

  /// The new texts. Texts that are not listed remain; empty ones are removed.
  package var texts: CaseValues<ContactText, String> = [:]
  /// The changes to each list, in the order in which they are applied.
  package var lists: CaseValues<ContactList, [EntryEdit]> = [:]
  /// The new departments; `nil` leaves them unchanged.
  package var departments: [String]?
  /// The new categories, all of them; `nil` leaves them unchanged.
  package var categories: [String]?
  /// Whether this is an emergency contact; `nil` leaves it unchanged.
  package var isEmergency: Bool?
  /// The change to the picture; `nil` leaves it unchanged.
  package var photo: PhotoEdit?

  /// Creates an edit with these changes.
  package init(
    firstName: String? = nil, lastName: String? = nil, company: String? = nil,
    phones: [EntryEdit] = [], emails: [EntryEdit] = []
  ) {
    self[.firstName] = firstName
    self[.lastName] = lastName
    self[.company] = company
    self[.phones] = phones
    self[.emails] = emails
  }

  /// The new value of a text; `nil` leaves it unchanged, empty removes it.
  package subscript(text: ContactText) -> String? {
    get { texts[text] }
    set { texts[text] = newValue }
  }

  /// The changes to the entries of a list.
  package subscript(list: ContactList) -> [EntryEdit] {
    get { lists[list] ?? [] }
    set { lists[list] = newValue.isEmpty ? nil : newValue }
  }

  /// Returns the edit as changes to a record with `fields`; for a new contact, no fields. Texts are trimmed.
  /// The result contains only real differences, so an edit that sets the existing values changes nothing.
  /// - Throws: `unknownItem` if an entry to change or remove does not exist, `limitExceeded` if a list would
  ///   have more entries than a contact may.
  package func changes(
    to fields: Fields, using generator: inout some RandomNumberGenerator
  ) throws(RecordsError) -> FieldChanges {
    try changes(to: fields) { _, _, _ in .random(using: &generator) }
  }

  /// Returns the same, with the ids of new entries from `name`. It receives the list, the fields of the entry
  /// and the existing ids of the list.
  package func changes(
    to fields: Fields, naming name: (ContactList, Fields, Set<EntryID>) -> EntryID
  ) throws(RecordsError) -> FieldChanges {
    // Checked first, because the device does nothing else while it applies the edit.
    for list in ContactList.allCases { try checkCount(of: list, in: fields) }
    var result = fields
    for (property, text) in texts {
      result[property.key] = ContactRecord.value(Self.kept(text, of: property))
    }
    for list in ContactList.allCases {
      try apply(self[list], to: list, in: &result, naming: name)
    }
    if let departments {
      let kept = departments.map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
      result[ContactRecord.departments] =
        kept.isEmpty ? nil : .list(kept.map { .string($0) })
    }
    if let categories { try apply(categories: categories, in: &result) }
    if let isEmergency {
      result[ContactRecord.emergency] = isEmergency ? .boolean(true) : nil
    }
    if let photo { apply(photo, in: &result) }
    return FieldChanges.difference(from: fields, to: result)
  }

  /// Returns a typed text in its stored form: trimmed, and a date in ISO 8601.
  private static func kept(_ text: String, of property: ContactText) -> String {
    let trimmed = text.trimmingBlanks()
    return property.isDate ? PartialDate(trimmed)?.description ?? trimmed : trimmed
  }

  private static func kept(
    _ text: String, of property: EntryText, _ list: ContactList
  ) -> String {
    // Texts of a card are stored byte for byte.
    guard list != .other else { return text }
    let trimmed = text.trimmingBlanks()
    guard list == .dates, property == .value else { return trimmed }
    return PartialDate(trimmed)?.description ?? trimmed
  }

  private func apply(_ photo: PhotoEdit, in fields: inout Fields) {
    switch photo {
    case .set(let photo):
      fields[ContactRecord.photo] = ContactRecord.value(photo.media)
      fields[ContactRecord.photoType] = ContactRecord.value(photo.mediaType)
    case .remove:
      fields[ContactRecord.photo] = nil
      fields[ContactRecord.photoType] = nil
    }
  }

  /// Applies categories. They are entries whose ids derive from their words, so a word added on two devices
  /// is one entry, and removing a word on one device does not restore a word removed on another.
  private func apply(
    categories: [String], in fields: inout Fields
  ) throws(RecordsError) {
    let present = ContactRecord.entries(fields[ContactRecord.categories])
    let wanted = Set(categories.map { $0.trimmingBlanks() }).subtracting([""])
    guard wanted.count <= max(present.count, Self.categoriesMaximum) else {
      throw Self.tooMany("categories", maximum: Self.categoriesMaximum, count: wanted.count)
    }
    var entries = EntryList(present, inserting: wanted.count)
    var kept: Set<String> = []
    for entry in present {
      let category = ContactRecord.text(entry.fields[EntryText.value.key])
      if !wanted.contains(category) || !kept.insert(category).inserted { entries.remove(entry.id) }
    }
    for category in categories.map({ $0.trimmingBlanks() })
    where wanted.contains(category) && kept.insert(category).inserted {
      var fingerprint = Fingerprint()
      fingerprint.add("category")
      fingerprint.add(category)
      entries.append(
        id: EntryID(fingerprint.value), ContactRecord.entryFields([.value: category]))
    }
    let all = entries.entries
    fields[ContactRecord.categories] = all.isEmpty ? nil : .entries(all)
  }

  private func apply(
    _ edits: [EntryEdit], to list: ContactList, in fields: inout Fields,
    naming name: (ContactList, Fields, Set<EntryID>) -> EntryID
  ) throws(RecordsError) {
    guard !edits.isEmpty else { return }
    var entries = EntryList(ContactRecord.entries(fields[list.key]), inserting: edits.count)
    for edit in edits {
      switch edit {
      case .insert(var texts, let content):
        for (property, text) in texts { texts[property] = Self.kept(text, of: property, list) }
        let says = ContactRecord.entryFields(texts, content: content)
        entries.append(id: name(list, says, entries.ids), says)
      case .update(let id, let texts):
        let isKnown = entries.update(id) { fields in
          for (property, text) in texts {
            let kept = Self.kept(text, of: property, list)
            fields[property.key] = ContactRecord.value(kept, of: property)
          }
        }
        guard isKnown else { throw Self.noEntry(id, list) }
      case .remove(let id):
        guard entries.remove(id) else { throw Self.noEntry(id, list) }
      }
    }
    let all = entries.entries
    fields[list.key] = all.isEmpty ? nil : .entries(all)
  }

  /// Rejects an edit that adds entries beyond the limit of a list. A list that already has more, from a card
  /// or another device, can still be changed.
  private func checkCount(of list: ContactList, in fields: Fields) throws(RecordsError) {
    let edits = self[list]
    var added = 0
    for edit in edits {
      switch edit {
      case .insert: added += 1
      case .remove: added -= 1
      case .update: break
      }
    }
    guard added > 0 else { return }
    let count = ContactRecord.entries(fields[list.key]).count + added
    guard count <= list.entriesMaximum else {
      throw Self.tooMany(list.rawValue, maximum: list.entriesMaximum, count: count)
    }
  }

  private static let categoriesMaximum = 1000

  private static func tooMany(_ list: String, maximum: Int, count: Int) -> RecordsError {
    RecordsError(
      .limitExceeded,
      "A contact can have up to \(maximum) \(list); this one would have \(count).",
      hint: "Split it into several contacts.", field: list)
  }

  private static func noEntry(_ id: EntryID, _ list: ContactList) -> RecordsError {
    RecordsError(
      .unknownItem, "The contact has no entry \(id) in its \(list.rawValue).",
      field: list.rawValue, reason: "noSuchEntry")
  }
}

extension ContactEdit {
  /// Returns the edit that changes `contact` into `draft`. Entries are matched by id: those the draft lacks
  /// are removed, those without an id are new.
  package static func replacing(_ contact: Contact, with draft: ContactDraft) -> ContactEdit {
    var edit = ContactEdit()
    for text in ContactText.allCases where draft[text] != contact[text] {
      edit[text] = draft[text]
    }
    for list in ContactList.allCases {
      edit[list] = entryEdits(from: contact.draftEntries(list), to: draft[list], list)
    }
    if draft.departments != contact.departments { edit.departments = draft.departments }
    if draft.categories != contact.categories { edit.categories = draft.categories }
    if draft.isEmergency != contact.isEmergency { edit.isEmergency = draft.isEmergency }
    if draft.photo != contact.photo { edit.photo = draft.photo.map { .set($0) } ?? .remove }
    return edit
  }

  private static func entryEdits(
    from old: [ContactDraft.DraftEntry], to new: [ContactDraft.DraftEntry], _ list: ContactList
  ) -> [EntryEdit] {
    let kept = Set(new.compactMap(\.id))
    let known = Dictionary(old.compactMap { entry in entry.id.map { ($0, entry) } }) { first, _ in
      first
    }
    let removed = old.compactMap { entry in
      entry.id.flatMap { kept.contains($0) ? nil : EntryEdit.remove($0) }
    }
    return removed
      + new.compactMap { entry in
        guard let id = entry.id else { return .insert(entry.texts, content: entry.content) }
        let before = known[id]
        var texts: CaseValues<EntryText, String> = [:]
        for property in list.properties where entry[property] != before?[property] {
          texts[property] = entry[property]
        }
        // NB: An entry that does not exist must reach `changes(to:)`, which rejects it.
        return texts.isEmpty && before != nil ? nil : .update(id, texts)
      }
  }
}
