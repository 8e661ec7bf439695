import CardDAV
import NIOHTTP1
import Records
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("D3, G1 deletions by programs", .timeLimit(.minutes(5)))
struct CardDeletionTests {
  @Test(.onlyInCheck) func `a program that deletes everything is stopped, and all comes back`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let names = (0..<40).map { "c\($0)" }
      try await agent.tell(
        of: names.map { ($0, ["firstName": .string($0)]) }, isWritable: true)
      let book = "/books/\(RunningAgent.rowingID)/"
      let paths = names.map { "\(book)\($0).vcf" }
      let token = try await client.changes(in: book).token
      for path in paths { #expect(try await client.ask("DELETE", path).status == 204) }
      let status = try await agent.ask(.GET, "/v1/status")
      #expect((status.json["heldDeletions"] as? Int ?? 0) > 0)
      // To the program they are gone.
      for path in paths { #expect(try await client.ask("GET", path).status == 404) }
      let news = try await client.changes(since: token, in: book)
      for path in paths { #expect(try news.status(of: path) == "HTTP/1.1 404 Not Found") }
      let refused = try await agent.ask(.POST, "/v1/sync", #"{"deletions":"refuse"}"#)
      #expect(refused.status == 200)
      let back = try await client.changes(since: news.token, in: book)
      #expect(try Set(back.cards).isSubset(of: paths) && back.cards.count >= 19)
      for path in try back.cards {
        #expect(try await client.ask("GET", path).text.contains("BEGIN:VCARD"))
      }
      // Everything that the agent has is what a new client reads.
      let all = try await client.changes(in: book)
      #expect(try all.cards == paths.sorted())
    }
  }
}
