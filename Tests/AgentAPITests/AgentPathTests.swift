import Testing

@testable import AgentAPI

@Suite("paths of the agent")
struct AgentPathTests {
  @Test func `the pattern of a route has a placeholder where a client's path has an id`() {
    #expect(AgentPath.contacts.pattern == "/v1/contacts")
    #expect(AgentPath.photo().pattern == "/v1/contacts/:id/photo")
    #expect(AgentPath.photo(ofContact: "a").segments == ["contacts", "a", "photo"])
    #expect(AgentPath("contacts") == .contacts)
  }
}
