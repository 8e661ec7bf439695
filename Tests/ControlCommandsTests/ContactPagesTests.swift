// Lists as subcommands ask for them.

import AgentAPI
import Testing

@testable import ControlCommands

@Suite("C3 pages of contacts", .timeLimit(.minutes(5)))
struct ContactPagesTests {
  @Test func `who asks for no contact gets none, and nobody is asked`() async throws {
    let address = try AgentAddress(
      agent: "/nowhere/s", device: nil, environment: [:], userID: 7)
    let agent = AgentClient(address: address)
    let pages = ContactPages(agent, [("q", "amy")])
    let outcome: ([ContactItem.Line], [[UInt8]])?
    do {
      outcome = (
        try await pages.contacts(atMost: 0), try await pages.json(atMost: 0)
      )
    } catch {
      outcome = nil
    }
    await agent.close()
    let (contacts, whole) = try #require(outcome)
    #expect(contacts.isEmpty)
    #expect(String(decoding: whole.joined(), as: UTF8.self) == #"{"schema":1,"contacts":[]}"#)
  }

  @Test(arguments: ["", "[]", #"{"contacts":{}}"#])
  func `an answer that is no page of contacts is from another version`(text: String) {
    let error = #expect(throws: ControlFailure.self) {
      try ContactPages.lines(of: Array(text.utf8))
    }
    #expect(error?.code == "incompatibleVersion")
  }

  @Test func `selected properties are a parameter; without a selection there is none`()
    async throws
  {
    let address = try AgentAddress(agent: "/nowhere/s", device: nil, environment: [:], userID: 7)
    let agent = AgentClient(address: address)
    let selected = ContactPages(agent, [("q", "amy")], ContactSelection([.phones, .name]))
    let whole = ContactPages(agent, [])
    await agent.close()
    #expect(selected.query.map(\.0).prefix(2) == ["q", "properties"])
    #expect(selected.query.map(\.1).prefix(2) == ["amy", "id,name,phones"])
    #expect(whole.query.allSatisfy { $0.0 != "properties" })
  }
}
