import CardDAV
import NIOHTTP1
import Processes
import Testing

@testable import AgentDaemon

@Suite("D4 passwords of programs", .timeLimit(.minutes(5)))
struct PasswordDoorTests {
  @Test func `any user name and any way to type the password is accepted`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let plain = client.password.replacing("-", with: "")
      for typed in [client.password, plain, plain.uppercased(), client.password + " "] {
        let answer = try await client.ask(
          "PROPFIND", "/", nil, ["Authorization": DAVClient.authorization(typed)])
        #expect(answer.status == 207, "\(typed)")
      }
    }
  }

  @Test func `H2 wrong passwords at speed get 429, and the right one still works`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      var statuses: [Int] = []
      // On a machine that runs other tests, a minute may be over before the thirtieth attempt.
      for number in 0..<300 where !statuses.contains(429) {
        let answer = try await client.ask(
          "PROPFIND", "/", nil, ["Authorization": DAVClient.authorization("wrong\(number)")])
        statuses.append(answer.status)
        if answer.status == 429 { #expect(answer.headers.first(name: "retry-after") == "60") }
      }
      #expect(statuses.last == 429)
      #expect(statuses.count > 30 && statuses.dropLast().allSatisfy { $0 == 401 })
      #expect(try await client.ask("PROPFIND", "/").status == 207)
    }
  }

  @Test func `a removed password is refused at once, also on an open connection`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let other = try await DAVClient(of: agent, named: "tablet")
      #expect(try await client.ask("PROPFIND", "/").status == 207)
      #expect(try await agent.ask(.DELETE, "/v1/dav/passwords/phone").status == 204)
      #expect(try await client.ask("PROPFIND", "/").status == 401)
      #expect(try await other.ask("PROPFIND", "/").status == 207)
    }
  }

  @Test func `the last use is shown`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let before = try await agent.ask(.GET, "/v1/dav").list("passwords")
      #expect(
        before.first?["name"] as? String == "phone" && before.first?["lastUsed"] as? String == nil)
      _ = try await client.ask("PROPFIND", "/")
      let after = try await agent.ask(.GET, "/v1/dav").list("passwords")
      #expect(after.first?["lastUsed"] as? String != nil)
    }
  }
}
