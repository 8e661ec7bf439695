import NIOHTTP1
import Records
import Testing

@testable import AgentDaemon

@Suite("Z6, K1 people by name and by id", .timeLimit(.minutes(5)))
struct ParticipantRoutesTests {
  private struct Person {
    let account: AccountID
    let name: String
  }

  @Test func `an id selects its account, even if another account has the id as its name`() {
    let bob = Person(account: AccountID(0xB0B), name: "bob")
    let mallory = Person(account: AccountID(0xBAD), name: bob.account.description)
    let people = [mallory, bob]
    func one(_ name: String) -> AccountID? {
      AgentRoutes.one(of: people, name, account: \.account, called: \.name)?.account
    }
    #expect(one(bob.account.description) == bob.account)
    #expect(one("bob") == bob.account)
    #expect(one(mallory.account.description) == mallory.account)
    #expect(one("nobody") == nil)
  }

  @Test func `an account's name that no broker reads is refused at once`() async throws {
    try await RunningAgent.with { agent in
      let empty = try await agent.ask(.POST, "/v1/signin", #"{"account": ""}"#)
      #expect(empty.code == "invalidArguments")
      let long = String(repeating: "a", count: Limits.nameBytes + 1)
      let answer = try await agent.ask(.POST, "/v1/signin", #"{"account": "\#(long)"}"#)
      #expect(answer.code == "limitExceeded")
    }
  }
}
