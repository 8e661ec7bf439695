import AgentAPI
import Records
import Testing

@testable import ControlCommands

@Suite("summaries of duplicates and merges")
struct ViewSentencesTests {
  @Test func `duplicates are counted in pairs`() {
    let pair = DuplicatesView.Pair(contacts: [], reasons: [])
    #expect(DuplicatesView(duplicates: []).summary == "There are no likely duplicates.")
    #expect(
      DuplicatesView(duplicates: [pair]).summary.hasPrefix("Found 1 pair of likely duplicates."))
    #expect(
      DuplicatesView(duplicates: Array(repeating: pair, count: 1200)).summary
        .hasPrefix("Found 1,200 pairs of likely duplicates."))
  }

  @Test func `a merge is one line with the contact that was kept`() {
    let moved = MergedView.Moved(field: "company", kept: "A", other: "B", to: "note")
    #expect(
      MergedView(id: "a", deleted: "b", moved: []).summary(kept: "“Ann” (a)")
        == "Merged 2 contacts into “Ann” (a).")
    #expect(
      MergedView(id: "a", deleted: "b", moved: [moved]).summary(kept: "“Ann” (a)")
        == "Merged 2 contacts into “Ann” (a), with 1 value moved.")
  }

  @Test func `a moved value is called as in the details of a contact`() {
    let moved = MergedView.Moved(field: "lastName", kept: "A", other: "B", to: "note")
    #expect(moved.sentence == "last: kept “A”; moved “B” to note.")
  }
}

@Suite("rejected edits in lists")
struct RefusedEditTests {
  private static func edit(_ change: String = "updated") -> RefusedView.Edit {
    RefusedView.Edit(
      id: "3", type: "contact", contact: "c1", group: "g1", name: "Ada", change: change,
      code: "permissionFailure", message: "You cannot edit this group.",
      time: Timestamp(microseconds: 0),
      fields: [RefusedView.Field(field: "firstName", after: "Adele")], removed: ["note"])
  }

  @Test func `a terminal shows the reason and what was entered as one text`() {
    let row = Self.edit().row(in: .terminal)
    #expect(
      row == [
        "3", Self.edit().time.description, "Ada",
        "You cannot edit this group. Rejected: first “Adele”, note deleted.",
      ])
    #expect(
      Self.edit("deleted").row(in: .terminal).last
        == "You cannot edit this group. Rejected: the deletion.")
  }

  @Test func `programs get the columns as before`() {
    #expect(
      Self.edit().row(in: .plain) == [
        "3", Self.edit().time.description, "c1", "Ada", "You cannot edit this group.",
        "firstName=Adele; note=",
      ])
  }
}
