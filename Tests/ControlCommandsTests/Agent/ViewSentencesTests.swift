import AgentAPI
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

  @Test func `a merge is one line with the command that undoes it`() {
    let moved = MergedView.Moved(field: "company", kept: "A", other: "B", to: "note")
    #expect(
      MergedView(id: "a", deleted: "b", moved: []).summary(action: "5")
        == "Merged 2 contacts. Undo: contactsctl undo 5")
    #expect(
      MergedView(id: "a", deleted: "b", moved: [moved]).summary(action: nil)
        == "Merged 2 contacts, with 1 value moved.")
  }
}
