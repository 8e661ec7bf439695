// Cards that are groups, into and out of a running agent.

import Foundation
import NIOHTTP1
import Testing

@testable import AgentDaemon

@Suite("A2, C2: groups that come as cards", .timeLimit(.minutes(5)))
struct GroupCardTests {
  /// The group stands before its members, and names one that is in no file.
  static let cards = """
    BEGIN:VCARD
    VERSION:3.0
    UID:g-1
    FN:Rowing
    N:Rowing;;;;
    NOTE:Every Tuesday
    X-ADDRESSBOOKSERVER-KIND:group
    X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u-1
    X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u-2
    X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u-nobody
    END:VCARD
    BEGIN:VCARD
    VERSION:3.0
    UID:u-1
    FN:Amy Bell
    N:Bell;Amy;;;
    END:VCARD
    BEGIN:VCARD
    VERSION:3.0
    UID:urn:uuid:u-2
    FN:Zed Adams
    N:Adams;Zed;;;
    CATEGORIES:Choir
    END:VCARD

    """

  func categories(of name: String, on agent: RunningAgent) async throws -> [String] {
    let contact = try await MediaTransferTests.contact(name, on: agent)
    return contact["categories"] as? [String] ?? []
  }

  @Test func `a group is no contact: its members get its title as a category`() async throws {
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(Self.cards, into: agent)
      let sums = TransferTests.summary(lines)
      #expect(sums["added"] == 2)
      #expect(sums["groups"] == 1)
      #expect(sums["flagged"] == 1)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 12)
      #expect(try await categories(of: "Amy", on: agent) == ["Rowing"])
      #expect(try await categories(of: "Zed", on: agent) == ["Choir", "Rowing"])
      let found = try await agent.ask(.GET, "/v1/contacts?q=rowing").list("contacts")
      #expect(found.count == 2)
      let told = lines.compactMap { $0["contact"] as? [String: Any] }
      let group = try #require(told.first { $0["isGroup"] as? Bool == true })
      #expect(group["name"] as? String == "Rowing")
      let findings = group["findings"] as? [[String: Any]] ?? []
      #expect(
        findings.compactMap { $0["message"] as? String } == [
          "The card is a group: 2 contacts got the category “Rowing”.",
          "1 member of the group was not found; the group card still names it.",
        ])
    }
  }

  @Test func `read twice nothing changes; what a person took back stays unless an update is asked`()
    async throws
  {
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(Self.cards, into: agent)
      let again = try await TransferTests.imported(Self.cards, into: agent)
      #expect(TransferTests.summary(again)["unchanged"] == 2)
      #expect(TransferTests.summary(again)["flagged"] == 0)
      let id = try await MediaTransferTests.contact("Amy", on: agent)["id"] as? String ?? ""
      _ = try await agent.ask(.PATCH, "/v1/contacts/\(id)", #"{"categories":[]}"#)
      let skipped = try await TransferTests.imported(Self.cards, into: agent)
      let told = skipped.compactMap { $0["contact"] as? [String: Any] }
      #expect(told.last?["outcome"] as? String == "skipped")
      #expect(try await categories(of: "Amy", on: agent) == [])
      _ = try await TransferTests.imported(Self.cards, into: agent, "onDuplicate=update")
      #expect(try await categories(of: "Amy", on: agent) == ["Rowing"])
    }
  }

  @Test(arguments: [("vcard3", "X-ADDRESSBOOKSERVER-"), ("vcard4", "")])
  func `a group goes out as a card with its members of now, and comes back the same`(
    format: String, prefix: String
  ) async throws {
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(Self.cards, into: agent)
      _ = try await agent.ask(
        .PATCH, "/v1/contacts/bundled-1-01", #"{"categories":["Rowing","Boats"]}"#)
      let text = try await TransferTests.exported(agent, "format=\(format)")
      #expect(text.contains("\(prefix)KIND:group\r\n"))
      for uid in ["u-1", "u-2", "u-nobody", "bundled-1-01"] {
        #expect(text.contains("\r\n\(prefix)MEMBER:urn:uuid:\(uid)\r\n"), "\(uid)")
      }
      #expect(text.contains("NOTE:Every Tuesday"))
      #expect(!text.contains("FN:Boats"))
      let back = try await TransferTests.imported(text, into: agent)
      #expect(TransferTests.summary(back)["unchanged"] == 12)
      #expect(TransferTests.summary(back)["groups"] == 1)
      try await RunningAgent.with { other in
        _ = try await TransferTests.imported(text, into: other, "onDuplicate=update")
        let second = try await TransferTests.exported(other, "format=\(format)")
        #expect(Self.lines(of: second) == Self.lines(of: text))
      }
      let all = try await TransferTests.exported(agent, "format=\(format)&groupCards=true")
      #expect(all.contains("FN:Boats"))
      #expect(all.contains("FN:Choir"))
    }
  }

  /// The lines of cards without REV, the time of the last change on the exporting device.
  private static func lines(of text: String) -> Set<Substring> {
    Set(text.split(separator: "\r\n").filter { !$0.hasPrefix("REV") })
  }

  @Test func `an import with a group is one action to undo`() async throws {
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(
        Self.cards.replacing("u-nobody", with: "bundled-1-02"), into: agent)
      #expect(try await categories(of: "Bram", on: agent) == ["Rowing"])
      let action = try #require(TransferTests.summary(lines)["action"])
      let undone = try await agent.ask(.POST, "/v1/undo", "{\"action\":\(action)}")
      #expect(undone.status == 200)
      #expect(try await categories(of: "Bram", on: agent) == [])
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
      #expect(!(try await TransferTests.exported(agent, "format=vcard4")).contains("KIND"))
    }
  }

  @Test func `a dry run tells of a group and does nothing`() async throws {
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(Self.cards, into: agent, "dryRun=true")
      #expect(TransferTests.summary(lines)["groups"] == 1)
      #expect(TransferTests.summary(lines)["flagged"] == 0)
      #expect(!(try await TransferTests.exported(agent, "format=vcard4")).contains("KIND"))
    }
  }
}
