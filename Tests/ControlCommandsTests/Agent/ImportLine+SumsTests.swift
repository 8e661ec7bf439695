import AgentAPI
import Testing

@testable import ControlCommands

@Suite("summary of an import")
struct ImportLineSumsTests {
  @Test func `totals and the command that undoes them are one line`() {
    var sums = ImportLine.Summary()
    (sums.added, sums.unchanged, sums.groups) = (19_949, 3, 1)
    #expect(
      sums.sentence(isDryRun: false, actions: [22])
        == "19,949 added, 3 unchanged, 1 group card. Undo: contactsctl undo 22")
    #expect(
      sums.sentence(isDryRun: true, actions: [])
        == "19,949 would be added, 3 unchanged, 1 group card.")
  }

  @Test func `the latest three of several imports are undone first`() {
    var sums = ImportLine.Summary()
    sums.updated = 4
    #expect(
      sums.sentence(isDryRun: false, actions: [1, 2, 3, 4])
        == "4 updated. Undo: contactsctl undo 4; contactsctl undo 3; contactsctl undo 2")
  }

  @Test(arguments: [
    (1, "the group “G1”"), (2, "the groups “G1” and “G2”"),
    (6, "the groups “G1”, “G2”, “G3”, “G4”, “G5” and “G6”"),
    (7, "the groups “G1”, “G2”, “G3”, “G4”, “G5” and 2 others"),
    (1_005, "the groups “G1”, “G2”, “G3”, “G4”, “G5” and 1,000 others"),
  ])
  func `new groups are named, of many the first ones`(count: Int, phrase: String) {
    var sums = ImportLine.Summary()
    sums.added = 1_000
    sums.madeGroups = (1...count).map { "G\($0)" }
    #expect(
      sums.sentence(isDryRun: false, actions: [7])
        == "1,000 added; made \(phrase). Undo: contactsctl undo 7")
    #expect(
      sums.sentence(isDryRun: true, actions: []) == "1,000 would be added; would make \(phrase).")
  }

  @Test func `the groups of several files are named once`() {
    var sums = ImportLine.Summary()
    sums.madeGroups = ["Rowing", "Work"]
    var other = ImportLine.Summary()
    other.madeGroups = ["Work", "Choir"]
    sums.add(other)
    #expect(sums.madeGroups == ["Rowing", "Work", "Choir"])
  }

  @Test func `files without contacts are named as such`() {
    #expect(
      ImportLine.Summary().sentence(isDryRun: false, actions: [])
        == "The files contain no contacts.")
  }
}
