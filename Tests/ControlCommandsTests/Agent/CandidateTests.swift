// What a text names, and what an error says if it names several.

import AgentAPI
import PredicateWorld
import Records
import Testing

@testable import ControlCommands

@Suite("C4, C7 contacts by name, id or beginning of an id")
struct CandidateTests {
  private static let anna = Candidate(id: "abcdefgh22222222", name: "Anna Berg", group: "home")
  private static let other = Candidate(id: "abcdefxy33333333", name: "anna berg", group: "work")
  private static let named = Candidate(id: "zzzzzzzz44444444", name: "abcdefgh")
  private static let all = [anna, other, named]

  private func ids(_ text: String) -> [String] {
    Candidate.matches(text, among: Self.all).map(\.id)
  }

  @Test func `a full id precedes a name, and a name precedes the beginning of an id`() {
    #expect(ids("abcdefgh22222222") == [Self.anna.id])
    #expect(ids("abcdefgh") == [Self.named.id])
    #expect(ids("abcdefgh2") == [Self.anna.id])
    #expect(ids("abcdef") == [Self.anna.id, Self.other.id])
  }

  @Test func `a name is compared without case, and a part of it names nothing`() {
    #expect(ids("ANNA BERG") == [Self.anna.id, Self.other.id])
    for text in ["Anna", "Anna Ber", "Berg", "", " ", "Anna  Berg"] {
      #expect(ids(text).isEmpty, "\(text)")
    }
  }

  @Test func `fewer than six characters are not the beginning of an id`() {
    for count in 1...5 { #expect(ids(String("abcdef".prefix(count))).isEmpty) }
    #expect(Limits.idBeginningCharactersMinimum == 6)
  }

  @Test func `every short id names exactly its contact, unless another one has it as a name`() {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let all = (0...random.below(20)).map { index in
        Candidate(
          id: "aaaa" + (0..<8).map { _ in random.one(of: ["a", "b"]) }.joined() + "\(index)",
          name: random.words(upTo: 4))
      }
      let short = ShortIDs(all.map(\.id))
      for candidate in all {
        #expect(
          Candidate.matches(short[candidate.id], among: all) == [candidate],
          "seed \(seed): \(candidate.id)")
      }
    }
  }

  @Test func `the error for several lists name, phone, group and short id of each`() {
    var (first, second) = (Self.anna, Self.other)
    (first.detail, second.detail) = ("+1 555 010 0100", "")
    let groups = [Self.group("home", "Home"), Self.group("work", "Work")]
    let rows = CandidateChoice.rows(of: [first, second], groups: groups)
    #expect(
      CandidateChoice.sentence(rows, noun: "contacts", text: "anna\u{1B} berg")
        == "“anna berg” matches 2 contacts: Anna Berg (+1 555 010 0100, Home, abcdefg), "
        + "anna berg (Work, abcdefx).")
    let many = (0..<12).map { Candidate(id: "\($0)0000000", name: "Anna") }
    let sentence = CandidateChoice.sentence(
      CandidateChoice.rows(of: many, groups: []), noun: "contacts", text: "Anna")
    #expect(sentence.contains("matches 12 contacts") && sentence.hasSuffix(", …."))
    #expect(sentence.matches(of: /Anna \(/).count == 10)
  }

  private static func group(
    _ id: String, _ title: String, role: String = "owner", owner: String = "alice"
  ) -> GroupItem {
    GroupItem(
      id: id, title: title, role: role, writable: true, permission: "readWrite", owner: owner,
      ownerDisplayName: owner, shared: role != "owner", contacts: 0, synced: true)
  }

  @Test func `Z1 a title is followed by its owner only where two titles meet`() {
    let groups = [
      Self.group("aaaaaaaa", "Rowing"), Self.group("bbbbbbbb", "Choir", role: "participant"),
      Self.group("cccccccc", "Rowing", role: "participant", owner: "bob"),
      Self.group("dddddddd", "Family", role: "participant", owner: "eve"),
      Self.group("eeeeeeee", "Family", role: "administrator", owner: "eve"),
    ]
    #expect(
      groups.map { $0.heading(among: groups) } == [
        "Rowing", "Choir", "Rowing (bob)", "Family (eve, dddddd)", "Family (eve, eeeeee)",
      ])
  }
}
