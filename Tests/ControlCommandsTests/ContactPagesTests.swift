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

  @Test func `a page is requested when the cursor of the one before has arrived`() async throws {
    let peer = try AgentPeer()
    let address = try AgentAddress(agent: peer.path, device: nil, environment: [:], userID: 7)
    let agent = AgentClient(address: address)
    async let names = ContactPages(agent, []).values(atMost: 600) { $0.name }
    let socket = try await peer.accepted()
    let first = try await peer.request(on: socket)
    #expect(first.contains("limit=250") && !first.contains("cursor"))
    let pages = ["Ada", "Bo"].map { #"{"schema":1,"contacts":[{"id":"a","name":"\#($0)"}]}"# }
    let heads = pages.map { page in
      "HTTP/1.1 200 OK\r\n\(AgentHeader.nextCursor): here\r\n"
        + "content-length: \(page.utf8.count)\r\n\r\n"
    }
    try await peer.send(heads[0], on: socket)
    let second = try await peer.request(on: socket)
    // The second page has the rest of the 600 contacts, so its cursor is not used.
    #expect(second.contains("limit=350&cursor=here"))
    try await peer.send(pages[0] + heads[1] + pages[1], on: socket)
    #expect(try await names == ["Ada", "Bo"])
    await agent.close()
  }
}
