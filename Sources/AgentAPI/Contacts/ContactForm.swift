// A contact in a request. Unknown keys are rejected, so that a mistyped one does not appear to be saved.
// Read-only keys (times, sort order) are accepted and ignored, so that an answer can be sent back.

import Contacts
import Records

/// The body of `POST`, `PUT` and `PATCH` on contacts.
package struct ContactForm: Decodable, Sendable {
  /// The texts in the request; `null` is read as empty.
  package private(set) var texts: CaseValues<ContactText, String> = [:]
  /// The lists in the request.
  package private(set) var lists: CaseValues<ContactList, [EntryForm]> = [:]
  /// The departments, if the request contains them; `null` is read as empty.
  package private(set) var departments: [String]?
  /// The categories, if the request contains them; `null` is read as empty.
  package private(set) var categories: [String]?
  /// Whether this is an emergency contact, if the request contains it.
  package private(set) var isEmergency: Bool?
  /// The id or title of the group.
  package private(set) var group: String?
  /// Whether `photo` is `null`, which removes the picture.
  package private(set) var isPhotoRemoved = false

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    for key in container.allKeys {
      let name = key.stringValue
      if let text = ContactText(name: name) {
        texts[text] = try container.decodeIfPresent(String.self, forKey: key) ?? ""
      } else if let list = ContactList(rawValue: name) {
        lists[list] = try container.decodeIfPresent([EntryForm].self, forKey: key) ?? []
      } else if !ContactItem.Key.readOnly.contains(name) {
        try read(key, in: container)
      }
    }
    for (list, entries) in lists {
      for entry in entries { try entry.check(as: list) }
    }
  }

  private mutating func read(
    _ key: JSONKey, in container: KeyedDecodingContainer<JSONKey>
  ) throws {
    switch key.stringValue {
    case ContactItem.Key.group.name: group = try container.decodeIfPresent(String.self, forKey: key)
    case ContactItem.Key.departments.name:
      departments = try container.decodeIfPresent([String].self, forKey: key) ?? []
    case ContactItem.Key.categories.name:
      categories = try container.decodeIfPresent([String].self, forKey: key) ?? []
    case ContactItem.Key.emergency.name:
      isEmergency = try container.decodeIfPresent(Bool.self, forKey: key) ?? false
    // Answers contain the picture's properties, so they are accepted; other routes transfer its bytes.
    case ContactItem.Key.photo.name: isPhotoRemoved = try container.decodeNil(forKey: key)
    default:
      let shown = key.stringValue.prefix(40)
      throw RecordsError.invalid("A contact has no property “\(shown)”.", field: "\(shown)")
    }
  }

  /// Returns the changes to a contact. Properties that the request does not contain are unchanged.
  /// - Throws: `invalidArguments` if a new entry is empty.
  package func edit() throws(RecordsError) -> ContactEdit {
    var edit = ContactEdit()
    edit.texts = texts
    for list in ContactList.allCases {
      guard let entries = lists[list] else { continue }
      var edits: [ContactEdit.EntryEdit] = []
      for entry in entries { edits.append(try entry.edit(in: list)) }
      edit[list] = edits
    }
    edit.departments = departments
    edit.categories = categories
    edit.isEmergency = isEmergency
    edit.photo = isPhotoRemoved ? .remove : nil
    return edit
  }

  /// Returns the request as the whole content of `contact`. Properties that it does not contain become empty,
  /// except the picture, the UID and other applications' properties, because most clients do not support
  /// them.
  package func draft(of contact: Contact) -> ContactDraft {
    var draft = ContactDraft()
    draft.texts = texts.filter { !$0.value.isEmpty }
    if texts[.uid] == nil { draft[.uid] = contact.uid }
    for list in ContactList.allCases {
      draft[list] = (lists[list] ?? []).filter { !$0.isRemoved }.map(\.draft)
    }
    if lists[.other] == nil { draft[.other] = contact.draftEntries(.other) }
    draft.departments = departments ?? []
    draft.categories = categories ?? []
    draft.isEmergency = isEmergency ?? false
    draft.photo = isPhotoRemoved ? nil : contact.photo
    return draft
  }
}

/// An entry of a list in a request.
package struct EntryForm: Decodable, Sendable {
  /// The entry to change; `nil` for a new one.
  package private(set) var id: EntryID?
  /// The texts in the request; `null` is read as empty.
  package private(set) var texts: CaseValues<EntryText, String> = [:]
  /// Whether to remove the entry.
  package private(set) var isRemoved = false

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    for key in container.allKeys {
      switch (key.stringValue, EntryText(rawValue: key.stringValue)) {
      case (ContactItem.Key.id.name, _):
        id = try Self.id(container.decodeIfPresent(String.self, forKey: key))
      case (ContactItem.Key.removed.name, _):
        isRemoved = try container.decodeIfPresent(Bool.self, forKey: key) ?? false
      // Answers contain the content of an entry, so it is accepted.
      case (OtherItem.contentKey, _): break
      case (_, .kinds):
        let kinds = try container.decodeIfPresent([String].self, forKey: key) ?? []
        texts[.kinds] = kinds.joined(separator: ",").lowercased()
      case (_, .preference):
        texts[.preference] = try Self.preference(container.decodeIfPresent(Int.self, forKey: key))
      case (_, .some(let property)):
        texts[property] = try container.decodeIfPresent(String.self, forKey: key) ?? ""
      case (let name, nil):
        throw RecordsError.invalid(
          "An entry has no property “\(name.prefix(40))”.", field: String(name.prefix(40)))
      }
    }
  }

  /// The entry as part of a whole contact.
  package var draft: ContactDraft.DraftEntry { ContactDraft.DraftEntry(id: id, texts: texts) }

  /// Rejects properties that entries of this list do not have.
  func check(as list: ContactList) throws(RecordsError) {
    guard let odd = texts.keys.first(where: { !list.properties.contains($0) }) else { return }
    throw .invalid("The \(list.noun) has no property “\(odd.rawValue)”.", field: list.rawValue)
  }

  /// Returns the change to a list.
  /// - Throws: `invalidArguments` if a new entry is empty.
  package func edit(in list: ContactList) throws(RecordsError) -> ContactEdit.EntryEdit {
    if let id { return isRemoved ? .remove(id) : .update(id, texts) }
    guard list.substance.contains(where: { texts[$0] != nil }) else {
      let needed = list.substance.map(\.rawValue).joined(separator: " or ")
      throw .invalid("A new entry of \(list.rawValue) needs \(needed).", field: list.rawValue)
    }
    return .insert(texts)
  }

  private static func id(_ text: String?) throws(RecordsError) -> EntryID? {
    guard let text else { return nil }
    guard let id = EntryID(text) else {
      throw .invalid(
        "“\(text.prefix(40))” is not the id of an entry.", field: ContactItem.Key.id.name)
    }
    return id
  }

  private static func preference(_ number: Int?) throws(RecordsError) -> String {
    guard let number else { return "" }
    guard (1...100).contains(number) else {
      throw .invalid(
        "\(EntryText.preference.rawValue) must be a number from 1 to 100.",
        field: EntryText.preference.rawValue)
    }
    return String(number)
  }
}

extension ContactItem.Key {
  /// Whether a request removes an entry.
  package static let removed = Self("removed")
}
