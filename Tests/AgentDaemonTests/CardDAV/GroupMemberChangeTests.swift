// Cards of groups, as programs of Apple write them.

import CardDAV
import NIOHTTP1
import Testing

@testable import AgentDaemon

@Suite("D2, D5 members of groups", .timeLimit(.minutes(5)))
struct GroupMemberChangeTests {
  private static let path = "\(DAVClient.book)crew.vcf"

  private func group(_ title: String, _ members: String...) -> String {
    DAVClient.card(
      "crew", title,
      ["X-ADDRESSBOOKSERVER-KIND:group"]
        + members.map { "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:\($0)" })
  }

  /// The names of the contacts with a category.
  private func contacts(with category: String, on agent: RunningAgent) async throws -> Set<String> {
    let all = try await agent.ask(.GET, "/v1/contacts").list("contacts")
    return Set(
      all.filter { ($0["categories"] as? [String])?.contains(category) ?? false }
        .compactMap { $0["firstName"] as? String })
  }

  private func prepared(_ agent: RunningAgent) async throws -> DAVClient {
    let client = try await DAVClient(of: agent)
    for (uid, name) in [("m1", "Mia"), ("m2", "Max")] {
      let card =
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nN:;\(name);;;\r\nEND:VCARD\r\n"
      #expect(try await client.put(card, "\(DAVClient.book)\(uid).vcf").status == 201)
    }
    #expect(try await client.put(group("Crew", "m1", "m2"), Self.path).status == 201)
    return client
  }

  @Test func `members of a group's card have its title as a category, and leave with it`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      #expect(try await contacts(with: "Crew", on: agent) == ["Mia", "Max"])
      let tag = try #require(try await client.ask("GET", Self.path).tag)
      let answer = try await client.put(group("Crew", "m2"), Self.path, ["If-Match": tag])
      #expect(answer.status == 204)
      #expect(try await contacts(with: "Crew", on: agent) == ["Max"])
    }
  }

  @Test func `a group's card that comes before those of its members takes them in when they come`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await DAVClient(of: agent)
      #expect(try await client.put(group("Crew", "m1", "m2"), Self.path).status == 201)
      for (uid, name) in [("m1", "Mia"), ("m2", "Max"), ("m3", "Moe")] {
        let card =
          "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nN:;\(name);;;\r\nEND:VCARD\r\n"
        #expect(try await client.put(card, "\(DAVClient.book)\(uid).vcf").status == 201)
      }
      #expect(try await contacts(with: "Crew", on: agent) == ["Mia", "Max"])
      let read = try await client.ask("GET", Self.path).text
      for uid in ["m1", "m2"] {
        #expect(read.ranges(of: "urn:uuid:\(uid)\r\n").count == 1)
      }
    }
  }

  @Test func `an old card does not take the members out of a group that was renamed`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      let other = try await DAVClient(of: agent, named: "tablet")
      _ = try await other.ask("GET", Self.path)
      _ = try await client.ask("GET", Self.path)
      #expect(try await client.put(group("Team", "m1", "m2"), Self.path).status == 204)
      #expect(try await contacts(with: "Team", on: agent) == ["Mia", "Max"])
      #expect(try await other.put(group("Crew", "m1", "m2"), Self.path).status == 204)
      #expect(try await contacts(with: "Team", on: agent) == ["Mia", "Max"])
      #expect(try await contacts(with: "Crew", on: agent) == [])
    }
  }

  @Test
  func `a member that a phone's group loses leaves it, though the phone reads nothing between`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      #expect(try await client.put(group("Crew", "m2"), Self.path).status == 204)
      #expect(try await contacts(with: "Crew", on: agent) == ["Max"])
      #expect(try await client.put(group("Crew"), Self.path).status == 204)
      #expect(try await contacts(with: "Crew", on: agent) == [])
    }
  }

  @Test func `the members of a group whose card is deleted lose the category`() async throws {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      _ = try await client.ask("GET", Self.path)
      #expect(try await client.ask("DELETE", Self.path).status == 204)
      #expect(try await contacts(with: "Crew", on: agent) == [])
      #expect(try await client.ask("GET", "\(DAVClient.book)m1.vcf").status == 200)
    }
  }

  @Test func `a program that does not know a member does not remove it, whatever it asks`()
    async throws
  {
    try await RunningAgent.with { agent in
      _ = try await prepared(agent)
      let other = try await DAVClient(of: agent, named: "tablet")
      let answer = try await other.put(group("Crew", "m1"), Self.path, ["If-Match": "*"])
      #expect(answer.status == 204)
      #expect(try await contacts(with: "Crew", on: agent) == ["Mia", "Max"])
    }
  }

  @Test func `a member whose UID was entered here stays, and its UID is not used twice`()
    async throws
  {
    try await RunningAgent.with { agent in
      let client = try await prepared(agent)
      let made = try await agent.ask(
        .POST, "/v1/contacts", #"{"firstName":"Zed","uid":"zed-uid","categories":["Crew"]}"#)
      #expect(made.status == 201)
      let card = try await client.ask("GET", Self.path)
      #expect(card.text.contains("MEMBER:urn:uuid:zed-uid"))
      let noted = card.text.replacing("END:VCARD", with: "NOTE:Ahoy\r\nEND:VCARD")
      let tag = try #require(card.tag)
      #expect(try await client.put(noted, Self.path, ["If-Match": tag]).status == 204)
      #expect(try await contacts(with: "Crew", on: agent) == ["Mia", "Max", "Zed"])
      let second = try await client.put(
        DAVClient.card("zed-uid", "Zoe"), "\(DAVClient.book)zoe.vcf")
      #expect(second.status == 409 && second.condition?.name.local == "no-uid-conflict")
    }
  }
}
