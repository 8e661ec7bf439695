import Testing

@testable import ControlCommands

@Suite("C4, C7 a choice among contacts")
struct CandidateChoiceTests {
  @Test func `a part of a name is asked about with what distinguishes the contact`() {
    #expect(
      CandidateChoice.question(about: ["Ann Berg", "555 0100", "", "abcdef"], for: "Ann\u{1B}")
        == "No contact has the name “Ann”. Do you mean Ann Berg (555 0100, abcdef)? [y/N]")
  }

  @Test func `an error lists what distinguishes ten candidates at most`() {
    let rows = (1...12).map { ["Ann", "", "Home", "id\($0)"] }
    let sentence = CandidateChoice.sentence(rows, noun: "contacts", text: "Ann")
    #expect(sentence.hasPrefix("“Ann” matches 12 contacts: Ann (Home, id1), Ann (Home, id2), "))
    #expect(sentence.hasSuffix("Ann (Home, id10), …."))
  }
}
