// Most programs save a card without asking whether it has changed since they read it, and overwrite what others did
// meanwhile. So a card that arrives is compared with the one that the program was served, and only the difference is
// applied to the contact. What the program could not see, such as a photo that had not arrived, is not in the
// difference, and remains.

import ContactCards
import Contacts
import Records

/// The changes between the card that a client was served and the one that it sends.
package struct CardMerge {
  /// The card that the client sends, as a contact.
  private let body: ContactDraft
  /// The card that it was served; `nil` if that is not known. Then nothing is removed.
  private let base: ContactDraft?
  /// The contact as it is, as the client would be served it. Its entries have their ids.
  private let present: ContactDraft
  /// Whether the contact has a UID of its own.
  private let hasUID: Bool

  /// Compares cards.
  /// - Parameters:
  ///   - body: The card that the client sends.
  ///   - base: The card that the client was served before; `nil` if it is not known.
  ///   - present: The card that the client would be served now. Composed in the same way as `base`, it lacks the same
  ///     details, so that they are not taken for changes.
  ///   - contact: The contact of `present`.
  package init(body: Card, base: Card?, present: Card, of contact: Contact) {
    let base = base.map { ImportedContact($0) }
    self.base = base?.draft.withFiles
    hasUID = !contact.uid.isEmpty
    self.present = ImportedContact(present).draft.withFiles.matched(to: contact)
    var body = ImportedContact(body).draft.withFiles
    // A program that edits the parts of a name may leave the whole name as it was.
    if let base, base.draft[.displayName].isEmpty, body[.displayName] == base.name {
      body[.displayName] = ""
    }
    self.body = body
  }

  /// The edit of the contact. It names the pictures of the client's card as files.
  package var edit: ContactEdit {
    var edit = ContactEdit()
    // The UID names the card, and cannot change. A program gives a card that has none one of its own.
    for text in ContactText.allCases where text != .uid { edit[text] = change(of: text) }
    if !hasUID, !body[.uid].isEmpty, body[.uid] != present[.uid] { edit[.uid] = body[.uid] }
    for list in ContactList.allCases { edit[list] = changes(of: list) }
    edit.departments = departments
    edit.categories = categories
    edit.isEmergency = isEmergency
    edit.photo = photo
    // The whole name may be one that the person has chosen; the client sent it with the parts.
    return edit.rebuildingName(keepingChosen: true) { present[$0] }
  }

  /// The texts that another device and the client have both changed, to different values. The client's is the later
  /// one and is stored; the caller keeps the other one as a conflict.
  package var disputedTexts: [ContactText] {
    guard let base else { return [] }
    return ContactText.allCases.filter { text in
      text != .uid && !body[text].isEmpty && !present[text].isEmpty
        && !Self.isSameList(body[text], base[text], text)
        && Set([body[text], base[text], present[text]]).count == 3
    }
  }

  // MARK: Properties

  private func change(of text: ContactText) -> String? {
    let new = body[text]
    guard new != present[text] else { return nil }
    guard let base else { return new.isEmpty ? nil : new }
    guard new != base[text], !Self.isSameList(new, base[text], text) else { return nil }
    // A client that removes a value does not mean the one that another has entered since.
    return new.isEmpty && present[text] != base[text] ? nil : new
  }

  /// Whether a part of a name differs in the commas of a list only: Evolution escapes them, and makes one text of a list.
  private static func isSameList(_ new: String, _ old: String, _ text: ContactText) -> Bool {
    guard NameParts.properties.contains(text), new.contains(",") else { return false }
    let (one, other) = (new.split { $0 == "," || $0 == " " }, old.split { $0 == "," || $0 == " " })
    return one == other
  }

  private var departments: [String]? {
    guard body.departments != present.departments else { return nil }
    guard let base else { return body.departments.isEmpty ? nil : body.departments }
    guard body.departments != base.departments else { return nil }
    let isRemoval = body.departments.isEmpty && present.departments != base.departments
    return isRemoval ? nil : body.departments
  }

  private var categories: [String]? {
    let removed = Set(base?.categories ?? []).subtracting(body.categories)
    let known = Set(present.categories).union(base?.categories ?? [])
    let kept = present.categories.filter { !removed.contains($0) }
    let merged = kept + body.categories.filter { !known.contains($0) }
    return merged == present.categories ? nil : merged
  }

  private var isEmergency: Bool? {
    guard body.isEmergency != present.isEmergency else { return nil }
    guard let base else { return body.isEmergency ? true : nil }
    return body.isEmergency == base.isEmergency ? nil : body.isEmergency
  }

  private var photo: ContactEdit.PhotoEdit? {
    // Programs name the type of a picture differently.
    guard body.photo?.media != present.photo?.media, body.photo?.media != base?.photo?.media else {
      return nil
    }
    if let photo = body.photo { return .set(photo) }
    return base != nil && base?.photo?.media == present.photo?.media ? .remove : nil
  }

  // MARK: Entries

  private func changes(of list: ContactList) -> [ContactEdit.EntryEdit] {
    let now = present[list]
    guard let before = base?[list] else { return additions(of: list, to: now) }
    let sent = EntryPairs(body[list], before, list)
    let kept = EntryPairs(before, now, list)
    var edits: [ContactEdit.EntryEdit] = []
    for (index, entry) in before.enumerated() {
      let partner = kept.partner(of: index).map { now[$0] }
      guard let place = sent.owner(of: index) else {
        // Another device's change to an entry wins over its removal.
        if let partner, let id = partner.id, partner.isSame(as: entry) { edits.append(.remove(id)) }
        continue
      }
      let entryEdit = change(from: entry, to: body[list][place], now: partner, list)
      if let entryEdit { edits.append(entryEdit) }
    }
    let new = body[list].indices.filter { sent.partner(of: $0) == nil }.map { body[list][$0] }
    // Removals come first: the limit of a list is for its entries afterwards.
    return edits.filter(\.isRemoval) + edits.filter { !$0.isRemoval }
      + new.filter { entry in !now.contains { $0.isSame(as: entry) } }.map(\.insertion)
  }

  private func change(
    from old: ContactDraft.DraftEntry, to new: ContactDraft.DraftEntry,
    now: ContactDraft.DraftEntry?, _ list: ContactList
  ) -> ContactEdit.EntryEdit? {
    guard !new.isSame(as: old) else { return nil }
    guard let now, let id = now.id, new.content == old.content else {
      // The entry was removed elsewhere, or its content is another: the new one is an entry of its own.
      return present[list].contains { $0.isSame(as: new) } ? nil : new.insertion
    }
    let changed = list.properties.filter { new[$0] != old[$0] }
    let isDisputed = list.identity.contains { property in
      changed.contains(property) && now[property] != old[property] && now[property] != new[property]
    }
    // Two numbers for one: both are kept, and a person decides.
    guard !isDisputed else { return new.insertion }
    let texts = changed.filter { new[$0] != now[$0] }.map { ($0, new[$0]) }
    return texts.isEmpty ? nil : .update(id, CaseValues(texts))
  }

  /// Without a base an entry that resembles none is new.
  private func additions(
    of list: ContactList, to now: [ContactDraft.DraftEntry]
  ) -> [ContactEdit.EntryEdit] {
    let pairs = EntryPairs(body[list], now, list, byLabel: false)
    return body[list].indices.filter { pairs.partner(of: $0) == nil }.map {
      body[list][$0].insertion
    }
  }
}

extension ContactDraft.DraftEntry {
  /// Whether both have the same texts and content.
  fileprivate func isSame(as other: Self) -> Bool {
    texts == other.texts && content == other.content
  }

  /// The entry as a new one.
  fileprivate var insertion: ContactEdit.EntryEdit { .insert(texts, content: content) }
}

extension ContactEdit.EntryEdit {
  fileprivate var isRemoval: Bool {
    if case .remove = self { true } else { false }
  }
}
