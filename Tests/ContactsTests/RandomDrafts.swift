// Random contents of contacts, from few words, so that two of them often agree in something.

import PredicateWorld
import Records

@testable import Contacts

/// A sequence of random drafts, the same for a seed in every run. Their texts are as an edit stores them.
struct RandomDrafts {
  var random: SeededGenerator

  init(seed: Int) { random = SeededGenerator(seed: UInt64(seed)) }

  private static let words = [
    "Ada", "Quill", "Bram", "李", "Éva", "e\u{301}va", "O'Hara", "a b", "Ltd; Sons", "two\nlines",
  ]

  /// Returns a word, or nothing in `percent` of 100 cases.
  mutating func word(orNothing percent: Int = 50) -> String {
    random.percent(percent) ? "" : random.one(of: Self.words)
  }

  /// Returns a date, or a text that is none.
  private mutating func date() -> String {
    random.one(of: ["", "1984-06-05", "--06-05", "1984", "about 1990"])
  }

  /// Returns a new entry of a list.
  mutating func entry(_ list: ContactList) -> ContactDraft.DraftEntry {
    var entry = ContactDraft.DraftEntry(texts: [:])
    for property in list.properties {
      entry[property] =
        switch property {
        case .preference: random.one(of: ["", "", "1", "100"])
        case .kinds: random.one(of: ["", "", "voice", "voice,msg"])
        default: word(orNothing: 60)
        }
    }
    entry[list.substance[0]] = list == .dates ? "19\(10 + random.below(90))" : word(orNothing: 0)
    if list == .phones { entry[.value] = "55501\(random.below(10))" }
    if list == .other, random.percent(30) { entry.content = .inline([UInt8(random.below(4))]) }
    return entry
  }

  /// Returns a draft without entry ids.
  mutating func draft() -> ContactDraft {
    var draft = ContactDraft()
    for text in ContactText.allCases { draft[text] = text.isDate ? date() : word() }
    for list in ContactList.allCases {
      draft[list] = (0..<random.below(4)).map { _ in entry(list) }
    }
    draft.departments = (0..<random.below(3)).map { _ in word(orNothing: 0) }
    draft.categories = Self.words.filter { _ in random.percent(20) }
    draft.isEmergency = random.percent(30)
    if random.percent(30) {
      draft.photo = ContactPhoto(
        media: .inline([UInt8(random.below(3))]), mediaType: random.one(of: ["", "image/png"]))
    }
    return draft
  }

  /// Returns `draft` with some entries changed and removed, others added, and some texts changed. Entries stay
  /// in their order, because an edit does not move them.
  mutating func changed(_ draft: ContactDraft) -> ContactDraft {
    var result = draft
    for text in ContactText.allCases where random.percent(30) {
      result[text] = text.isDate ? date() : word()
    }
    for list in ContactList.allCases {
      result[list] = draft[list].filter { _ in random.percent(80) }.map { old in
        guard random.percent(40) else { return old }
        var new = entry(list)
        new.id = old.id
        // An update names texts only; the bytes of an entry never change.
        new.content = old.content
        return new
      }
      result[list] += (0..<random.below(3)).map { _ in entry(list) }
    }
    if random.percent(30) { result.departments = self.draft().departments }
    result.categories =
      draft.categories.filter { _ in random.percent(70) }
      + Self.words.filter { !draft.categories.contains($0) && random.percent(20) }
    result.isEmergency = random.percent(50)
    if random.percent(30) { result.photo = self.draft().photo }
    return result
  }
}

extension ContactDraft {
  /// The draft without the ids of its entries.
  var withoutIDs: ContactDraft {
    var draft = self
    for list in ContactList.allCases {
      draft[list] = draft[list].map { .init(texts: $0.texts, content: $0.content) }
    }
    return draft
  }
}
