// Cards in forms that not every program reads, and requests that say less than they seem to.

import Testing

@testable import AgentDaemon

@Suite("D2, D3 forms of cards and conditions", .timeLimit(.minutes(5)))
struct SentFormTests {
  private static let path = "\(DAVClient.book)one.vcf"

  @Test(arguments: [
    "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Muller;Jorg\r\nFN:Jorg Muller\r\nEND:VCARD\r\n",
    "\u{FEFF}BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jorg Muller\r\nN:Muller;Jorg;;;\r\nEND:VCARD\r\n",
  ])
  func `a card in another version or with a mark is composed for others`(card: String) async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let answer = try await client.put(card, Self.path)
      #expect(answer.status == 201 && answer.tag == nil)
      let served = try await client.ask("GET", Self.path).text
      #expect(served.hasPrefix("BEGIN:VCARD\r\nVERSION:3.0") && served.contains("FN:Jorg Muller"))
    }
  }

  @Test func `a card in Latin-1 is served in UTF-8`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let text = DAVClient.card("one", "Jörg")
      let latin = text.unicodeScalars.map { UInt8($0.value) }
      let answer = try await client.put(bytes: latin, Self.path)
      #expect(answer.status == 201 && answer.tag == nil)
      #expect(try await client.ask("GET", Self.path).text.contains("FN:Jörg"))
    }
  }

  @Test func `a deletion or a move of any version is as blind as one without a condition`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let other = try await DAVClient(of: agent, named: "tablet")
      _ = try await client.put(DAVClient.card("one", "One"), Self.path)
      _ = try await other.ask("GET", Self.path)
      let tag = try #require(try await client.ask("GET", Self.path).tag)
      _ = try await client.put(
        DAVClient.card("one", "One", ["NOTE:new"]), Self.path, ["If-Match": tag])
      #expect(try await other.ask("DELETE", Self.path, nil, ["If-Match": "*"]).status == 204)
      #expect(try await client.ask("GET", Self.path).text.contains("NOTE:new"))
      let target = "\(DAVClient.book)two.vcf"
      for (headers, status) in [
        (["If-Match": tag], 412), (["Destination": "http://elsewhere.example\(target)"], 502),
        ([:], 201),
      ] {
        let all = ["Destination": target].merging(headers) { $1 }
        #expect(try await client.ask("MOVE", Self.path, nil, all).status == status, "\(headers)")
      }
    }
  }

  @Test func `properties of what does not exist are not changed`() async throws {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      let update = """
        <propertyupdate xmlns="DAV:"><set><prop><displayname>X</displayname></prop></set>\
        </propertyupdate>
        """
      for path in ["/books/none/", "\(DAVClient.book)none.vcf"] {
        #expect(try await client.ask("PROPPATCH", path, update).status == 404)
      }
    }
  }
}
