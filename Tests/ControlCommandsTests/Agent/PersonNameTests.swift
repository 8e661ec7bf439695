// Names of people, shown and typed.

import Testing

@testable import ControlCommands

@Suite("T1, Z4 names of people")
struct PersonNameTests {
  private static let people = [
    (account: "bob", displayName: "Bob Bauer"), (account: "bob2", displayName: "Bob Bauer"),
    (account: "carol", displayName: "Carol"), (account: "Carol", displayName: "bob"),
  ]

  @Test(arguments: [
    ("carol", "carol"), ("Carol", "Carol"), ("bob", "bob"), ("nobody", "nobody"), ("", ""),
  ])
  func `an account's name precedes a display name`(typed: String, account: String) throws {
    #expect(try PersonName.account(named: typed, among: Self.people) == account)
  }

  @Test func `a display name that one person has is understood`() throws {
    let people = Self.people.filter { $0.account != "bob2" }
    #expect(try PersonName.account(named: "Bob Bauer", among: people) == "bob")
    #expect(try PersonName.account(named: "bob bauer", among: people) == "bob")
    #expect(try PersonName.account(named: "BOB", among: [people[0]]) == "bob")
  }

  @Test func `a display name of several people is refused, with their accounts`() {
    let error = #expect(throws: ControlFailure.self) {
      try PersonName.account(named: "Bob Bauer", among: Self.people)
    }
    #expect(error?.exitCode == .content)
    #expect(error?.message == "“Bob Bauer” is the display name of 2 accounts: bob, bob2.")
  }

  @Test func `people read a display name with the account, programs the account`() {
    func shown(_ style: Printer.Style) -> String {
      PersonName.shown("Bob Bauer", account: "bob", in: style)
    }
    #expect(shown(.terminal) == "Bob Bauer (bob)")
    #expect(shown(.plain) == "bob")
    #expect(PersonName.shown("bob", account: "bob", in: .terminal) == "bob")
  }
}
