import PredicateWorld
import Records
import Testing

@testable import Contacts

@Suite("Merge of two random contacts loses nothing")
struct ContactMergePropertyTests {
  private func fields(_ random: inout RandomDrafts) throws -> Fields {
    let empty = Contact(id: RecordName(stored: "c"))
    return try ContactEdit.replacing(empty, with: random.draft())
      .changes(to: Fields(), using: &random.random).applied(to: Fields())
  }

  private func draft(_ fields: Fields) -> ContactDraft {
    ContactDraft(ContactRecord.contact(named: RecordName(stored: "c"), fields: fields))
  }

  @Test func `every text of both is in the result`() throws {
    for seed in 1...80 {
      var random = RandomDrafts(seed: seed)
      let (kept, given) = (try fields(&random), try fields(&random))
      let merge = ContactMerge(kept: kept, given: given)
      let result = draft(merge.changes.applied(to: kept))
      let (mine, theirs) = (draft(kept), draft(given))
      let all = Set(
        result.texts.values + result.lists.values.flatMap { $0.flatMap { $0.texts.values } })
      for text in ContactText.allCases {
        let isKept = text == .note || text == .nickname || mine[text].isEmpty
        #expect(isKept || result[text] == mine[text], "seed \(seed) \(text)")
        #expect(result[text].contains(mine[text]) || mine[text].isEmpty, "seed \(seed) \(text)")
        let isThere =
          all.contains(theirs[text]) || result[.note].contains(theirs[text])
          || result[text].foldedFact().contains(theirs[text].foldedFact())
        #expect(theirs[text].isEmpty || isThere, "seed \(seed) \(text) \(theirs[text])")
      }
      for list in ContactList.allCases {
        for entry in mine[list] {
          #expect(result[list].contains { $0.id == entry.id }, "seed \(seed) \(list)")
        }
        for entry in mine[list] + theirs[list] {
          #expect(result[list].contains { Self.says($0, entry, list) }, "seed \(seed) \(list)")
        }
        #expect(Set(result[list].compactMap(\.id)).count == result[list].count, "seed \(seed)")
      }
      #expect(Set(result.categories) == Set(mine.categories + theirs.categories), "seed \(seed)")
      #expect(Set(mine.departments + theirs.departments).isSubset(of: result.departments))
      #expect(result.isEmergency == (mine.isEmergency || theirs.isEmergency))
      #expect(mine.photo == nil || result.photo == mine.photo, "seed \(seed)")
    }
  }

  /// Whether `one` has all the content of `other`, which may have had another label.
  private static func says(
    _ one: ContactDraft.DraftEntry, _ other: ContactDraft.DraftEntry, _ list: ContactList
  ) -> Bool {
    let kinds = one[.kinds].split(separator: ",").map { String($0) } + [one[.label]]
    let wanted = other[.kinds].split(separator: ",").map { String($0) } + [other[.label]]
    guard one.content == other.content else { return false }
    return list.properties.allSatisfy { property in
      switch property {
      case .label, .kinds: wanted.allSatisfy { $0.isEmpty || kinds.contains($0) }
      case .preference: other[.preference].isEmpty || !one[.preference].isEmpty
      case _ where list.substance.contains(property) && list != .other:
        one[property].foldedFact() == other[property].foldedFact()
      default: other[property].isEmpty || one[property] == other[property]
      }
    }
  }

  @Test func `nothing is merged into a contact, and a contact into nothing`() throws {
    for seed in 1...40 {
      var random = RandomDrafts(seed: seed)
      let fields = try fields(&random)
      #expect(ContactMerge(kept: fields, given: Fields()).changes.isEmpty, "seed \(seed)")
      #expect(ContactMerge(kept: fields, given: fields).changes.isEmpty, "seed \(seed)")
      let merge = ContactMerge(kept: Fields(), given: fields)
      #expect(merge.changes.applied(to: Fields()) == fields && merge.moved.isEmpty, "seed \(seed)")
    }
  }
}
