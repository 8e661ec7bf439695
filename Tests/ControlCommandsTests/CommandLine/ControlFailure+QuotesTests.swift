// The hint for a name that the shell has split into words.

import Records
import Testing

@testable import ControlCommands

@Suite("C7 names with blanks")
struct ControlFailureQuotesTests {
  private static let unknown = ControlFailure.error(.unknownItem, "No contact “Greta”.", hint: "x")

  @Test func `several words of which one is not found may be one name`() {
    let failure = Self.unknown.suggestingQuotes(around: ["Greta", "Halm"], after: "rm")
    #expect(
      failure.hint == "If “Greta Halm” is one name, quote it: contactsctl rm \"Greta Halm\"")
    #expect(failure.message == "No contact “Greta”." && failure.exitCode == .notFound)
  }

  @Test func `ids in a hint are short for people`() {
    let ids = ["0123456789abcdef", "fedcba9876543210"]
    let failure = ControlFailure.error(.constraintViolation, "Taken.", hint: "It is \(ids[0]).")
    #expect(failure.shorteningIDs(ids).hint == "It is 012345.")
    #expect(failure.shorteningIDs([]).hint == failure.hint)
  }

  @Test func `one word, and other failures, keep their hint`() {
    #expect(Self.unknown.suggestingQuotes(around: ["Greta"], after: "rm").hint == "x")
    let other = ControlFailure.error(.invalidArguments, "Several.", hint: "y")
    #expect(other.suggestingQuotes(around: ["Greta", "Halm"], after: "rm").hint == "y")
  }
}
