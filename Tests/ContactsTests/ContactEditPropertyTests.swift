// Edits and drafts as laws: an edit leads to the draft, touches nothing else, and a second one is empty.

import PredicateWorld
import Records
import Testing

@testable import Contacts

@Suite("C12, A2 laws of edits and drafts")
struct ContactEditPropertyTests {
  private static let seeds = 1...60

  private func contact(_ fields: Fields) -> Contact {
    ContactRecord.contact(named: RecordName(stored: "c"), fields: fields)
  }

  private func fields(
    _ draft: ContactDraft, in fields: Fields = Fields(), _ random: inout RandomDrafts
  ) throws -> Fields {
    try ContactEdit.replacing(contact(fields), with: draft)
      .changes(to: fields, using: &random.random).applied(to: fields)
  }

  @Test func `a new contact is its draft`() throws {
    for seed in Self.seeds {
      var random = RandomDrafts(seed: seed)
      let draft = random.draft()
      let made = contact(try fields(draft, &random))
      #expect(ContactDraft(made).withoutIDs == draft, "seed \(seed)")
    }
  }

  @Test func `an edit leads to its draft, and a second one changes nothing`() throws {
    for seed in Self.seeds {
      var random = RandomDrafts(seed: seed)
      let start = try fields(random.draft(), &random)
      let before = ContactDraft(contact(start))
      let wanted = random.changed(before)
      let after = try fields(wanted, in: start, &random)
      let made = ContactDraft(contact(after))
      #expect(made.withoutIDs == wanted.withoutIDs, "seed \(seed)")
      for list in ContactList.allCases {
        let kept = wanted[list].compactMap(\.id)
        #expect(made[list].prefix(kept.count).compactMap(\.id) == kept, "seed \(seed)")
        #expect(Set(made[list].compactMap(\.id)).count == made[list].count, "seed \(seed)")
      }
      let second = ContactEdit.replacing(contact(after), with: made)
      #expect(second == ContactEdit(), "seed \(seed)")
      #expect(try fields(ContactDraft(), in: after, &random).isEmpty, "seed \(seed)")
    }
  }

  @Test func `only the fields that differ change, and unknown ones survive`() throws {
    for seed in Self.seeds {
      var random = RandomDrafts(seed: seed)
      var start = try fields(random.draft(), &random)
      start["shoeSize"] = .double(38.5)
      if case .entries(var entries) = start["phones"] {
        for index in entries.indices { entries[index].fields["extension"] = .int64(Int64(index)) }
        start["phones"] = .entries(entries)
      }
      let wanted = random.changed(ContactDraft(contact(start)))
      let changes = try ContactEdit.replacing(contact(start), with: wanted)
        .changes(to: start, using: &random.random)
      let after = changes.applied(to: start)
      #expect(after["shoeSize"] == .double(38.5))
      for entry in ContactRecord.entries(after["phones"]) {
        let old = ContactRecord.entries(start["phones"]).first { $0.id == entry.id }
        #expect(entry.fields["extension"] == old?.fields["extension"], "seed \(seed)")
        #expect(old == nil || entry.position == old?.position, "seed \(seed)")
      }
      let keys = Set(start.all.map(\.key)).union(after.all.map(\.key))
      for key in keys where start[key] == after[key] {
        #expect(!changes.removed.contains(key), "seed \(seed) \(key)")
        #expect(changes.set[key] == nil, "seed \(seed) \(key)")
      }
    }
  }

  /// Matches entries as `ContactDraft.matched` says, one pair after the other.
  private func plainlyMatched(
    _ new: [ContactDraft.DraftEntry], _ old: [ContactDraft.DraftEntry], _ list: ContactList
  ) -> [EntryID?] {
    var ids = new.map(\.id)
    let rules: [(ContactDraft.DraftEntry, ContactDraft.DraftEntry) -> Bool] = [
      { one, other in list.properties.allSatisfy { one[$0] == other[$0] } },
      { one, other in list.substance.allSatisfy { one[$0] == other[$0] } },
      { one, other in one[.label] == other[.label] && one[.name] == other[.name] },
    ]
    for rule in rules {
      for index in new.indices where ids[index] == nil {
        ids[index] =
          old.first { entry in
            !ids.contains(entry.id) && entry.content == new[index].content
              && rule(new[index], entry)
          }?.id
      }
    }
    return ids
  }

  @Test func `a draft is matched to the entries most like its own, each once`() throws {
    for seed in 1...150 {
      var random = RandomDrafts(seed: seed)
      let before = contact(try fields(random.draft(), &random))
      var draft = random.changed(ContactDraft(before))
      for list in ContactList.allCases {
        for index in draft[list].indices where random.random.percent(70) {
          draft[list][index].id = nil
        }
      }
      let matched = draft.matched(to: before)
      for list in ContactList.allCases {
        let expected = plainlyMatched(draft[list], before.draftEntries(list), list)
        #expect(matched[list].map(\.id) == expected, "seed \(seed) \(list)")
      }
      #expect(matched.withoutIDs == draft.withoutIDs, "seed \(seed)")
      #expect(matched.matched(to: before) == matched, "seed \(seed)")
    }
  }
}
