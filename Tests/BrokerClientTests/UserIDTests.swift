import BrokerClient
import FoundationEssentials
import Testing

@Suite("K1 the id of a user")
struct UserIDTests {
  @Test func `an id is read from its text and from JSON`() throws {
    let text = "0123456789abcdef0123456789abcdef"
    let id = try #require(UserID(text))
    #expect(id.description == text)
    #expect(try JSONDecoder().decode(UserID.self, from: JSONEncoder().encode(id)) == id)
  }

  @Test(arguments: ["", "alice", "0123456789abcdef", String(repeating: "0", count: 32)])
  func `another text is no id`(text: String) throws {
    #expect(UserID(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(UserID.self, from: JSONEncoder().encode(text))
    }
  }
}
