import AgentAPI
import PredicateWorld
import Records
import Testing

@testable import ControlCommands

@Suite("summary of an undo")
struct UndoViewSummaryTests {
  static func view(
    _ kind: String, contacts: Int, groups: Int = 0, left: [(String, String?)] = [],
    action: Int64? = 9
  ) -> UndoView {
    let things =
      (0..<groups).map { UndoView.Thing(type: "group", id: "g\($0)", name: "Group \($0)") }
      + (0..<contacts).map { UndoView.Thing(type: "contact", id: "c\($0)", name: "Name \($0)") }
    let kept = left.enumerated().map { index, item in
      UndoView.Left(
        thing: UndoView.Thing(type: "contact", id: "k\(index)", name: "Kept \(index)"),
        field: item.1, entry: nil, reason: item.0)
    }
    let undone = ActionItem(
      id: 8, kind: kind, name: "Name 0", count: max(1, things.count + kept.count),
      time: Timestamp(microseconds: 0), undoes: nil, undoneBy: nil)
    return UndoView(action: action, undone: undone, setBack: things, leftAlone: kept)
  }

  @Test func `an import is undone in one line with the number of kept contacts`() {
    #expect(
      Self.view("import", contacts: 19_949, left: [("changedSince", nil)]).summary
        == "Undid the import of 19,949 contacts; 1 edited since was kept. "
        + "Do it again: contactsctl undo 9")
  }

  @Test func `one contact or group is called by its name`() {
    #expect(
      Self.view("delete", contacts: 1).summary
        == "Undid the deletion of Name 0. Do it again: contactsctl undo 9")
    #expect(
      Self.view("renameGroup", contacts: 0, groups: 1).summary
        .hasPrefix("Undid the renaming of the group “Group 0”. "))
    #expect(
      Self.view("deleteGroup", contacts: 300, groups: 1).summary
        .hasPrefix("Undid the deletion of the group “Group 0” and 300 contacts. "))
    #expect(
      Self.view("several", contacts: 2, groups: 2).summary
        .hasPrefix("Undid the changes of 2 groups and 2 contacts. "))
  }

  @Test func `a contact without a name is counted`() {
    var view = Self.view("add", contacts: 1)
    view.setBack[0].name = ""
    #expect(view.summary.hasPrefix("Undid the addition of 1 contact. "))
  }

  @Test func `values and contacts are counted apart, by reason`() {
    let left: [(String, String?)] = [
      ("changedSince", "company"), ("deletedSince", nil), ("changedSince", "note"),
      ("deletedSince", nil),
    ]
    #expect(
      Self.view("edit", contacts: 3, left: left).summary.hasPrefix(
        "Undid the change of 3 contacts; 2 values edited since were kept, "
          + "2 deleted since stay deleted. "))
  }

  @Test func `nothing undone says why, without a number to undo`() {
    #expect(
      Self.view("edit", contacts: 0, left: [("deletedSince", nil)], action: nil).summary
        == "The change of Name 0 was not undone; 1 deleted since stays deleted.")
    #expect(
      Self.view("add", contacts: 0, action: nil).summary
        == "Nothing is left to undo of the addition of Name 0.")
  }

  @Test func `a summary of any result is one line that counts every kept contact`() {
    let reasons = [
      "changedSince", "deletedSince", "thereAgain", "erased", "groupGone", "groupInUse", "new",
    ]
    for seed in UInt64(1)...200 {
      var generator = SeededGenerator(seed: seed)
      var left: [(String, String?)] = []
      for _ in 0..<generator.below(30) {
        left.append((generator.one(of: reasons), generator.percent(50) ? "note" : nil))
      }
      let view = Self.view("import", contacts: 2 + generator.below(3000), left: left)
      let summary = view.summary
      #expect(!summary.contains("\n"), "seed \(seed)")
      // The numbers after the semicolon are those of the kept contacts and values.
      let kept = summary.split(separator: ". Do it again")[0].split(separator: "; ").dropFirst()
      let numbers = kept.joined().matches(of: /(?:^|, )([0-9]+)/).compactMap { Int($0.1) }
      #expect(numbers.reduce(0, +) == left.count, "seed \(seed): \(summary)")
    }
  }
}
