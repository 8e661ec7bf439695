// Address books in and out of a running agent.

import Foundation
import NIOCore
import NIOHTTP1
import Processes
import Records
import Synchronization
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("A2: import and export", .timeLimit(.minutes(5)))
struct TransferTests {
  static let cards = """
    BEGIN:VCARD
    VERSION:3.0
    UID:u-1
    FN:Amy Bell
    N:Bell;Amy;;;
    TEL;TYPE=CELL:+1 555 010 0199
    EMAIL:nobody
    BDAY:1604-06-05
    item1.X-SHOE-SIZE;UNIT=EU:38
    END:VCARD
    BEGIN:VCARD
    VERSION:3.0
    END:VCARD
    BEGIN:VCARD
    VERSION:3.0
    FN:Zed Adams
    PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAA=
    END:VCARD

    """

  /// Imports `text` and returns the lines of the report.
  static func imported(
    _ text: String, into agent: RunningAgent, _ query: String = ""
  ) async throws -> [[String: Any]] {
    let response = try await agent.open(.POST, "/v1/import?file=a.vcf&\(query)", text)
    #expect(response.status == .ok)
    let bytes = try await response.body.collect(upTo: 16 << 20)
    return Data(bytes.readableBytesView).split(separator: UInt8(ascii: "\n")).compactMap {
      (try? JSONSerialization.jsonObject(with: $0)) as? [String: Any]
    }
  }

  static func summary(_ lines: [[String: Any]]) -> [String: Int] {
    let last = lines.last?["summary"] as? [String: Any] ?? [:]
    return last.compactMapValues { $0 as? Int }
  }

  static func exported(_ agent: RunningAgent, _ query: String) async throws -> String {
    let response = try await agent.open(.GET, "/v1/export?\(query)")
    #expect(response.status == .ok)
    return String(buffer: try await response.body.collect(upTo: 16 << 20))
  }

  @Test func `valid cards are imported, and the report names the line of the invalid one`()
    async throws
  {
    try await RunningAgent.with { agent in
      let lines = try await Self.imported(Self.cards, into: agent)
      let sums = Self.summary(lines)
      #expect(sums["added"] == 2)
      #expect(sums["failed"] == 1)
      #expect(sums["flagged"] == 1)
      let contacts = lines.compactMap { $0["contact"] as? [String: Any] }
      #expect(contacts.map { $0["line"] as? Int } == [1, 11, 14])
      #expect(contacts.map { $0["outcome"] as? String } == ["added", "failed", "added"])
      let id = try #require(contacts[0]["id"] as? String)
      let made = try await agent.ask(.GET, "/v1/contacts/\(id)")
      #expect(made.json["birthday"] as? String == "--06-05")
      #expect(made.list("other").map { $0["name"] as? String } == ["X-SHOE-SIZE"])
      let photo = try #require(contacts[2]["id"] as? String)
      let shown = try await agent.ask(.GET, "/v1/contacts/\(photo)").json["photo"]
      #expect((shown as? [String: Any])?["sizeBytes"] as? Int == 29)
    }
  }

  @Test(.onlyInCheck) func `an import goes on while its client reads nothing`() async throws {
    try await RunningAgent.with { agent in
      // The report is larger than all buffers of a connection.
      let cards = (0..<1000).map { number in
        let name = String(repeating: "n", count: 4000) + String(number)
        return "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u\(number)\r\nFN:\(name)\r\nEND:VCARD\r\n"
      }
      let report = try await agent.open(.POST, "/v1/import", cards.joined())
      try await Patience.wait(until: "all contacts are imported") {
        try await agent.ask(.GET, "/v1/status").json["contacts"] as? Int == 1010
      }
      let bytes = try await report.body.collect(upTo: 16 << 20)
      let last = Data(bytes.readableBytesView).split(separator: UInt8(ascii: "\n")).last ?? Data()
      let summary = try JSONSerialization.jsonObject(with: last) as? [String: Any]
      #expect((summary?["summary"] as? [String: Any])?["added"] as? Int == 1000)
    }
  }

  @Test func `reading a file twice changes nothing, and a dry run never does`() async throws {
    try await RunningAgent.with { agent in
      let dry = try await Self.imported(Self.cards, into: agent, "dryRun=true")
      #expect(Self.summary(dry)["added"] == 2)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
      _ = try await Self.imported(Self.cards, into: agent)
      let again = try await Self.imported(Self.cards, into: agent)
      #expect(Self.summary(again)["unchanged"] == 2)
      #expect(Self.summary(again)["added"] == 0)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 12)
    }
  }

  @Test func `a contact that is here and different stays, is updated or gets a second one`()
    async throws
  {
    try await RunningAgent.with { agent in
      _ = try await Self.imported(Self.cards, into: agent)
      let changed = Self.cards.replacing("38", with: "39").replacing("nobody", with: "a@b")
      let skipped = try await Self.imported(changed, into: agent)
      #expect(Self.summary(skipped)["skipped"] == 1)
      let updated = try await Self.imported(changed, into: agent, "onDuplicate=update")
      #expect(Self.summary(updated)["updated"] == 1)
      let again = try await Self.imported(changed, into: agent, "onDuplicate=update")
      #expect(Self.summary(again)["unchanged"] == 2)
      let second = try await Self.imported(changed, into: agent, "onDuplicate=new")
      #expect(Self.summary(second)["added"] == 2)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 14)
    }
  }

  @Test(.onlyInCheck)
  func `an import of several steps is reported in order, and is one action to undo`()
    async throws
  {
    try await RunningAgent.with { agent in
      let lines = try await Self.imported(Self.people(1700), into: agent)
      let numbers = lines.compactMap { ($0["contact"] as? [String: Any])?["line"] as? Int }
      #expect(numbers == (0..<1700).map { 1 + 4 * $0 })
      let action = try #require(Self.summary(lines)["action"])
      #expect(try await agent.ask(.GET, "/v1/status").json["contacts"] as? Int == 1710)
      let undone = try await agent.ask(.POST, "/v1/undo", "{\"action\":\(action)}")
      #expect(undone.status == 200)
      #expect(try await agent.ask(.GET, "/v1/status").json["contacts"] as? Int == 10)
    }
  }

  /// Cards of people with short names.
  private static func people(_ count: Int) -> String {
    (0..<count).map { "BEGIN:VCARD\nVERSION:3.0\nFN:Person \($0)\nEND:VCARD\n" }.joined()
  }

  @Test(.onlyInCheck)
  func `an import ends at the step that fails, with its error and no later step`()
    async throws
  {
    let edits = Mutex(0)
    let editBegins: @Sendable () throws -> Void = {
      let number = edits.withLock { edits in
        edits += 1
        return edits
      }
      if number == 2 { throw StoreError(.full, "The disk is full.") }
    }
    try await RunningAgent.with(editBegins: editBegins) { agent in
      let lines = try await Self.imported(Self.people(2500), into: agent)
      let error = lines.last?["error"] as? [String: Any]
      #expect((error?["message"] as? String)?.contains("disk is full") == true)
      #expect(lines.count { $0["contact"] != nil } == 800)
      #expect(edits.withLock { $0 } == 2)
      #expect(try await agent.ask(.GET, "/v1/status").json["contacts"] as? Int == 810)
    }
  }

  @Test func `an update takes nothing away that the file does not say`() async throws {
    try await RunningAgent.with { agent in
      _ = try await Self.imported(Self.cards, into: agent)
      let id = try #require(
        try await agent.ask(.GET, "/v1/contacts?q=Bell").list("contacts").first?["id"] as? String)
      _ = try await agent.ask(
        .PATCH, "/v1/contacts/\(id)", #"{"note":"mine","phones":[{"label":"work","value":"2"}]}"#)
      let updated = try await Self.imported(Self.cards, into: agent, "onDuplicate=update")
      #expect(Self.summary(updated)["unchanged"] == 2)
      let shown = try await agent.ask(.GET, "/v1/contacts/\(id)")
      #expect(shown.json["note"] as? String == "mine")
      #expect(shown.list("phones").count == 2)
    }
  }

  @Test(.onlyInCheck, arguments: ["vcard3", "vcard4", "jcard", "json", "csv"])
  func `what is exported is known again, and exports the same`(format: String) async throws {
    try await RunningAgent.with { agent in
      _ = try await Self.imported(Self.cards, into: agent)
      let first = try await Self.exported(agent, "format=\(format)")
      let back = try await Self.imported(first, into: agent)
      #expect(Self.summary(back)["unchanged"] == 12)
      try await RunningAgent.with { other in
        for contact in try await other.ask(.GET, "/v1/contacts").list("contacts") {
          let id = contact["id"] as? String ?? ""
          _ = try await other.ask(.DELETE, "/v1/contacts/\(id)?acknowledged=true")
        }
        let taken = try await Self.imported(first, into: other)
        #expect(Self.summary(taken)["added"] == 12)
        // A record made there has another name, which only JSON tells beside the UID.
        let second = try await Self.exported(other, "format=\(format)")
        // When the contact was changed here is no part of what was imported.
        let own =
          /"id":"[^"]*",|"uid":"[^"]*",|"modified":"[^"]*",|REV:[0-9TZ:-]*\r\n|\["rev"[^\]]*\],?/
        #expect(second.replacing(own, with: "") == first.replacing(own, with: ""))
      }
    }
  }

  @Test func `a group is filled and taken out by itself`() async throws {
    try await RunningAgent.with { agent in
      _ = try await agent.ask(.POST, "/v1/groups", #"{"title":"Crew"}"#)
      _ = try await Self.imported(Self.cards, into: agent, "group=Crew")
      let crew = try await agent.ask(.GET, "/v1/contacts?group=Crew").list("contacts")
      #expect(crew.count == 2)
      let text = try await Self.exported(agent, "format=vcard4&group=Crew")
      #expect(text.components(separatedBy: "BEGIN:VCARD").count == 3)
      // Known again wherever it is, unless another group is asked for.
      let again = try await Self.imported(Self.cards, into: agent)
      #expect(Self.summary(again)["unchanged"] == 2)
    }
  }

  @Test func `a row without a UID is the contact with its name and a number or an e-mail address`()
    async throws
  {
    try await RunningAgent.with { agent in
      _ = try await Self.imported(
        "First Name,Last Name,Phone,E-mail\nAda,Quill,+46 8 555 0101,ada@example.com\n"
          + "Bo,Ek,+46 8 555 0102,bo@example.com\nBo,Ek,+46 8 555 0103,ek@example.com\n",
        into: agent)
      let table =
        "Vorname;Nachname;Telefon;E-Mail-Adresse;Notizen\nAda;Quill;08-555 0101;;rings\n"
        + "Ada;Quill;;other@example.com;\nBo;Ek;;BO@example.com;rows\nCy;Ek;08-555 0102;;\n"
      let dry = try await Self.imported(
        table, into: agent, "onDuplicate=update&dryRun=true")
      #expect(Self.summary(dry)["updated"] == 2 && Self.summary(dry)["added"] == 2)
      let columns = (dry.last?["summary"] as? [String: Any])?["columns"] as? [[String: Any]]
      #expect(columns?.compactMap { $0["becomes"] as? String }.first == "first name")
      let skipped = try await Self.imported(table, into: agent)
      #expect(Self.summary(skipped)["skipped"] == 2 && Self.summary(skipped)["added"] == 2)
      let updated = try await Self.imported(table, into: agent, "onDuplicate=update")
      #expect(Self.summary(updated)["updated"] == 2 && Self.summary(updated)["unchanged"] == 2)
      let all = try await agent.ask(.GET, "/v1/contacts").list("contacts")
      #expect(all.filter { $0["note"] as? String == "rings" }.count == 1)
    }
  }

  @Test func `the same contact twice in one file is one contact`() async throws {
    try await RunningAgent.with { agent in
      let lines = try await Self.imported(Self.cards + Self.cards, into: agent)
      #expect(Self.summary(lines)["added"] == 2)
      #expect(Self.summary(lines)["unchanged"] == 2)
    }
  }

  @Test(.onlyInCheck) func `a contact too large for a record fails alone`() async throws {
    let value = String(repeating: "x", count: 600 << 10)
    let large = "BEGIN:VCARD\nFN:Large\nNOTE:\(value)\nEND:VCARD\n"
    let larger = large.replacing("\nEND", with: "\nX-MORE:\(value.prefix(420 << 10))\nEND")
    try await RunningAgent.with { agent in
      let lines = try await Self.imported(Self.cards + larger + Self.cards, into: agent)
      let sums = Self.summary(lines)
      #expect(sums["added"] == 3 || sums["failed"] == 3)
      #expect(try await agent.ask(.GET, "/v1/contacts?q=Amy").list("contacts").count == 1)
    }
  }

  @Test(arguments: ["format=xls", "onDuplicate=maybe", "group=Nowhere"])
  func `a request that means nothing is refused`(query: String) async throws {
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(.POST, "/v1/import?\(query)", Self.cards)
      #expect(answer.code == "invalidArguments" || answer.code == "zoneNotFound")
    }
  }
}
