import Records
import SyncCore
import Testing

@Suite("Undo: an edit is taken back where it still stands")
struct UndoTests {
  private let before: Fields = ["first": .string("Ada"), "company": .string("Old")]
  private let after: Fields = ["first": .string("Ada"), "company": .string("New")]

  private func change(_ before: Fields, _ after: Fields) -> Undo.Edit {
    .changed(before: before, after: after)
  }

  @Test func `a field that still holds what the edit set is set back`() {
    let undo = Undo(
      change(["company": .string("Old")], ["company": .string("New")]), shown: after)
    #expect(undo.shown == before)
    #expect(undo.leftAlone.isEmpty)
  }

  @Test func `a field changed since stays and is named, the others are set back`() {
    let edit = change(
      ["company": .string("Old")], ["company": .string("New"), "note": .string("n")])
    let shown: Fields = [
      "company": .string("Newer"), "first": .string("Ada"), "note": .string("n"),
    ]
    let undo = Undo(edit, shown: shown)
    #expect(undo.shown == ["company": .string("Newer"), "first": .string("Ada")])
    #expect(undo.leftAlone == [Undo.LeftAlone(field: "company", reason: .changedSince)])
  }

  @Test func `a field that already has its former value is not reported`() {
    let undo = Undo(
      change(["company": .string("Old")], ["company": .string("New")]), shown: before)
    #expect(undo.shown == before)
    #expect(undo.leftAlone.isEmpty)
  }

  @Test func `an entry added goes, entries added since stay`() {
    let own = entry(1, "555")
    let later = entry(2, "777")
    let edit = change([:], ["phones": .entries([own])])
    let undo = Undo(edit, shown: ["phones": .entries([own, later])])
    #expect(undo.shown == ["phones": .entries([later])])
    #expect(undo.leftAlone.isEmpty)
  }

  @Test func `an entry that was changed since stays and is named`() {
    let edit = change(
      ["phones": .entries([entry(1, "1")])], ["phones": .entries([entry(1, "2")])])
    let undo = Undo(edit, shown: ["phones": .entries([entry(1, "3")])])
    #expect(undo.shown == ["phones": .entries([entry(1, "3")])])
    #expect(
      undo.leftAlone == [
        Undo.LeftAlone(field: "phones", entry: EntryID(1), reason: .changedSince)
      ])
  }

  @Test func `an entry added and given another label since stays and is named`() {
    var labeled = entry(1, "555")
    labeled.fields["label"] = .string("home")
    let edit = change([:], ["phones": .entries([entry(1, "555")])])
    let undo = Undo(edit, shown: ["phones": .entries([labeled])])
    #expect(undo.shown == ["phones": .entries([labeled])])
    #expect(undo.leftAlone.map(\.entry) == [EntryID(1)])
  }

  @Test func `a made record goes unless it was changed since`() {
    let made = Undo.Edit.made(digest: Undo.digest(of: EncodedRecord(before)))
    #expect(Undo(made, shown: before).shown == nil)
    let changed = Undo(made, shown: after)
    #expect(changed.shown == after)
    #expect(changed.leftAlone == [Undo.LeftAlone(reason: .changedSince)])
    #expect(Undo(made, shown: nil).leftAlone.isEmpty)
  }

  @Test func `a deleted record comes back unless there is one again`() {
    #expect(Undo(.deleted(before), shown: nil).shown == before)
    let again = Undo(.deleted(before), shown: after)
    #expect(again.shown == after)
    #expect(again.leftAlone == [Undo.LeftAlone(reason: .thereAgain)])
  }

  @Test func `a change of what was deleted since is left alone`() {
    let undo = Undo(change(before, after), shown: nil)
    #expect(undo.shown == nil)
    #expect(undo.leftAlone == [Undo.LeftAlone(reason: .deletedSince)])
  }

  private func entry(_ id: UInt128, _ value: String) -> Entry {
    Entry(
      id: EntryID(id), position: Position(stored: "V"), fields: ["value": .string(value)])
  }
}
