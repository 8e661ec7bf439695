// Which contact of the address book a card of a file is, and what an import may write into.

import DeviceDriver
import Foundation
import NIOHTTP1
import Records
import Testing

@testable import AgentDaemon

@Suite("A2 what an import writes to", .timeLimit(.minutes(5)))
struct ImportZoneTests {
  static func card(_ lines: String...) -> String {
    (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\n")
  }

  @Test(arguments: ["skip", "update", "new"])
  func `an import without a group never writes to a group of another account`(
    policy: String
  ) async throws {
    try await RunningAgent.with { agent in
      try await agent.tell(
        of: [("u-1", ["firstName": .string("Amy"), "uid": .string("u-1")])], isWritable: true)
      let card = Self.card("UID:u-1", "FN:Amy", "N:;Amy;;;", "NOTE:private")
      let lines = try await TransferTests.imported(card, into: agent, "onDuplicate=\(policy)")
      #expect(TransferTests.summary(lines)["added"] == 1)
      let shared = try await agent.ask(.GET, "/v1/contacts?group=\(RunningAgent.rowingID)")
      #expect(shared.list("contacts").map { $0["note"] as? String ?? "" } == [""])
      let own = try await agent.ask(.GET, "/v1/contacts?group=Contacts&q=Amy")
      #expect(own.list("contacts").count == 1)
      // Read again, it is the own contact.
      let again = try await TransferTests.imported(card, into: agent, "onDuplicate=update")
      #expect(TransferTests.summary(again)["unchanged"] == 1)
    }
  }

  @Test func `an import with a group writes into that group`() async throws {
    try await RunningAgent.with { agent in
      try await agent.tell(
        of: [("u-1", ["firstName": .string("Amy"), "uid": .string("u-1")])], isWritable: true)
      let card = Self.card("UID:u-1", "FN:Amy", "N:;Amy;;;", "NOTE:for all")
      let lines = try await TransferTests.imported(
        card, into: agent, "onDuplicate=update&group=\(RunningAgent.rowingID)")
      #expect(TransferTests.summary(lines)["updated"] == 1)
    }
  }

  @Test func `an update that adds phones to an imported contact is taken, twice with no effect`()
    async throws
  {
    try await RunningAgent.with { agent in
      let first = ["UID:u-1", "FN:Amy Bell", "TEL;TYPE=CELL:1"]
      _ = try await TransferTests.imported(Self.card(first[0], first[1], first[2]), into: agent)
      let more = Self.card(
        first[0], first[1], first[2], "TEL;TYPE=HOME:2", "TEL;TYPE=HOME:2", "TEL;TYPE=WORK:3",
        "EMAIL:amy@example.org")
      for expected in ["updated", "unchanged"] {
        let lines = try await TransferTests.imported(more, into: agent, "onDuplicate=update")
        #expect(TransferTests.summary(lines)[expected] == 1, "\(lines)")
      }
      let id = try #require(
        try await agent.ask(.GET, "/v1/contacts?q=Amy").list("contacts").first?["id"] as? String)
      let phones = try await agent.ask(.GET, "/v1/contacts/\(id)").list("phones")
      #expect(phones.map { $0["value"] as? String } == ["1", "2", "2", "3"])
      #expect(Set(phones.compactMap { $0["id"] as? String }).count == 4)
    }
  }

  @Test func `two devices that read the same update make the same entries`() async throws {
    var entries: [[String]] = []
    for _ in 0..<2 {
      try await RunningAgent.with { agent in
        _ = try await TransferTests.imported(
          Self.card("UID:u-1", "FN:Amy Bell", "TEL:1"), into: agent)
        _ = try await TransferTests.imported(
          Self.card("UID:u-1", "FN:Amy Bell", "TEL:1", "TEL;TYPE=HOME:2", "TEL;TYPE=HOME:2"),
          into: agent, "onDuplicate=update")
        let found = try await agent.ask(.GET, "/v1/contacts?q=Amy").list("contacts")
        let id = try #require(found.first?["id"] as? String)
        let phones = try await agent.ask(.GET, "/v1/contacts/\(id)").list("phones")
        entries.append(phones.compactMap { $0["id"] as? String })
      }
    }
    #expect(entries[0].count == 3 && entries[0] == entries[1])
  }

  @Test func `people who share a UID in one file are all taken, and again change nothing`()
    async throws
  {
    let names = (1...50).map { "Person \($0)" }
    let file = names.map { Self.card("UID:same", "FN:\($0)") }.joined()
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(file, into: agent)
      #expect(TransferTests.summary(lines)["added"] == 50)
      #expect(TransferTests.summary(lines)["flagged"] == 49)
      let found = try await agent.ask(.GET, "/v1/contacts?q=Person&limit=100").list("contacts")
      #expect(Set(found.compactMap { $0["name"] as? String }) == Set(names))
      for policy in ["skip", "update"] {
        let again = try await TransferTests.imported(file, into: agent, "onDuplicate=\(policy)")
        #expect(TransferTests.summary(again)["unchanged"] == 50)
      }
    }
  }

  @Test func `one person twice in a file keeps the UID`() async throws {
    try await RunningAgent.with { agent in
      let file =
        Self.card("UID:same", "FN:Amy Bell", "TEL:1")
        + Self.card("UID:same", "FN:amy bell ", "TEL:1")
      let lines = try await TransferTests.imported(file, into: agent)
      #expect(TransferTests.summary(lines)["added"] == 1)
    }
  }
}
