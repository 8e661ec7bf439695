import Records
import SyncCore
import Testing

@Suite("Z4 what a person typed")
struct TypedChangesTests {
  private func phone(_ id: UInt128, _ label: String, _ number: String) -> Entry {
    Entry(
      id: EntryID(id), position: Position(stored: "U"),
      fields: ["label": .string(label), "value": .string(number)])
  }

  private func typed(_ base: Fields, _ shown: Fields) -> FieldChanges {
    FieldChanges.difference(from: base, to: shown).typed(beside: base)
  }

  @Test func `of a list stays what was added to it`() {
    let base: Fields = ["phones": .entries([phone(1, "home", "1")])]
    let shown: Fields = ["phones": .entries([phone(1, "home", "1"), phone(2, "work", "2")])]
    #expect(typed(base, shown).set == ["phones": .entries([phone(2, "work", "2")])])
  }

  @Test func `of an entry stays what differs in it`() {
    let base: Fields = ["phones": .entries([phone(1, "home", "1"), phone(2, "work", "2")])]
    let shown: Fields = ["phones": .entries([phone(1, "cabin", "1"), phone(2, "work", "2")])]
    let label = Entry(
      id: EntryID(1), position: Position(stored: "U"), fields: ["label": .string("cabin")])
    #expect(typed(base, shown).set == ["phones": .entries([label])])
  }

  @Test func `a list from which something was taken says nothing`() {
    let base: Fields = ["phones": .entries([phone(1, "home", "1"), phone(2, "work", "2")])]
    let shown: Fields = ["phones": .entries([phone(1, "home", "1")])]
    #expect(typed(base, shown).isEmpty)
  }

  @Test func `other fields stay as they were typed, and what went is named`() {
    let base: Fields = ["note": .string("theirs"), "company": .string("Acme")]
    let shown: Fields = ["note": .string("mine")]
    let changes = typed(base, shown)
    #expect(changes.set == ["note": .string("mine")])
    #expect(changes.removed == ["company"])
  }
}
