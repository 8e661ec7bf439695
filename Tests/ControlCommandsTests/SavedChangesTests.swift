// The message if the output cannot be written after a change was saved.

import Records
import Testing

@testable import ControlCommands

@Suite("J7 what was saved although the output failed")
struct SavedChangesTests {
  @Test func `nothing saved says nothing`() {
    #expect(SavedChanges().sentence == nil)
  }

  @Test func `one change is named by its id`() {
    let saved = SavedChanges()
    saved.note(id: "card-1")
    #expect(saved.sentence == "The change was saved (card-1); do not repeat the command.")
  }

  @Test func `of many changes some are named`() {
    let saved = SavedChanges()
    for number in 1...5 { saved.note(id: number == 2 ? nil : "c\(number)") }
    #expect(saved.sentence == "5 changes were saved (c1, c3, c4, …); do not repeat the command.")
  }

  @Test func `thousands of changes are separated`() {
    let saved = SavedChanges()
    for _ in 1...1500 { saved.note(id: nil) }
    #expect(saved.sentence == "1,500 changes were saved; do not repeat the command.")
  }
}
