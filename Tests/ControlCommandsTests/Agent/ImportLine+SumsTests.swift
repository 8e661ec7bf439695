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
        == "19,949 added, 3 unchanged, 1 group. Undo: contactsctl undo 22")
    #expect(
      sums.sentence(isDryRun: true, actions: [])
        == "19,949 would be added, 3 unchanged, 1 group.")
  }

  @Test func `the latest three of several imports are undone first`() {
    var sums = ImportLine.Summary()
    sums.updated = 4
    #expect(
      sums.sentence(isDryRun: false, actions: [1, 2, 3, 4])
        == "4 updated. Undo: contactsctl undo 4; contactsctl undo 3; contactsctl undo 2")
  }

  @Test func `files without contacts are named as such`() {
    #expect(
      ImportLine.Summary().sentence(isDryRun: false, actions: [])
        == "The files contain no contacts.")
  }
}
