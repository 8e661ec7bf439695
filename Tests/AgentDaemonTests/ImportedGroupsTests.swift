// The groups that a file names for its contacts, in a running agent.

import AddressBook
import DeviceDriver
import DeviceStore
import Foundation
import NIOHTTP1
import Records
import SyncCore
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("A2: an import restores groups", .timeLimit(.minutes(5)))
struct ImportedGroupsTests {
  static func card(_ name: String, in group: String?, _ further: String...) -> String {
    let mark = group.map { ["CATEGORIES;X-CONTACTS-GROUP=TRUE:\($0)"] } ?? []
    let lines = ["BEGIN:VCARD", "VERSION:3.0", "UID:\(name)", "FN:\(name)", "N:;\(name);;;"]
    return (lines + mark + further + ["END:VCARD", ""]).joined(separator: "\n")
  }

  static let crew =
    card("Amy", in: "Rowing") + card("Bo", in: nil) + card("Cy", in: "Work")
    + card("Di", in: "Rowing")

  /// The titles of the groups of an agent, without the default one.
  static func titles(_ agent: RunningAgent) async throws -> [String] {
    try await agent.ask(.GET, "/v1/groups").list("groups").compactMap { $0["title"] as? String }
      .filter { $0 != "Contacts" }
  }

  /// The names in a group, in order, without the ten samples.
  static func names(in group: String, _ agent: RunningAgent) async throws -> [String] {
    let path = "/v1/contacts?limit=1000&group=\(group)"
    return try await agent.ask(.GET, path).list("contacts")
      .filter { $0["uid"] != nil }.compactMap { $0["name"] as? String }.sorted()
  }

  static func made(_ lines: [[String: Any]]) -> [String]? {
    (lines.last?["summary"] as? [String: Any])?["madeGroups"] as? [String]
  }

  /// The sentences about groups.
  static func sentences(_ lines: [[String: Any]]) -> [String] {
    lines.compactMap { ($0["contact"] as? [String: Any])?["findings"] as? [[String: Any]] }
      .joined().filter { $0["property"] as? String == "group" }
      .compactMap { $0["message"] as? String }
  }

  /// Says that others can see the group, as the broker would.
  static func share(_ title: String, on agent: RunningAgent) async throws {
    try await agent.driver.edit { replica, now in
      var actions = try RunningAgent.meet(replica, now)
      let group = try replica.reader.groups().first { $0.title == title }
      guard let zone = group?.zone else { throw RecordsError(.zoneNotFound, title) }
      let entry = DirectoryEntry(
        revision: Revision(1), zone: zone, title: title, role: .owner, isWritable: true,
        incarnation: Incarnation(3), isDeleted: false, ownerName: "ada", isShared: true,
        ownerDisplayName: "Ada")
      actions += try replica.received(
        .directory(DirectoryPage(from: .zero, to: Revision(1), entries: [entry])), replyTo: nil,
        now: now)
      return ((), actions)
    }
  }

  @Test func `groups are created for the contacts of a file, and one undo removes both`()
    async throws
  {
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(Self.crew, into: agent)
      #expect(TransferTests.summary(lines)["added"] == 4)
      #expect(Self.made(lines) == ["Rowing", "Work"])
      #expect(Self.sentences(lines) == [])
      #expect(try await Self.names(in: "Rowing", agent) == ["Amy", "Di"])
      #expect(try await Self.names(in: "Work", agent) == ["Cy"])
      #expect(try await Self.names(in: "Contacts", agent) == ["Bo"])
      let amy = try await MediaTransferTests.contact("Amy", on: agent)
      #expect(amy["categories"] == nil)
      let action = try #require(TransferTests.summary(lines)["action"])
      _ = try await agent.ask(.POST, "/v1/undo", "{\"action\":\(action)}")
      #expect(try await Self.titles(agent) == [])
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
      let again = try await TransferTests.imported(Self.crew, into: agent)
      #expect(Self.made(again) == ["Rowing", "Work"])
    }
  }

  @Test func `an undo keeps a group that has other contacts by now`() async throws {
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(Self.crew, into: agent)
      let added = try await agent.ask(
        .POST, "/v1/contacts", #"{"firstName":"Eve","uid":"Eve","group":"Rowing"}"#)
      #expect(added.status == 201)
      let action = try #require(TransferTests.summary(lines)["action"])
      let undone = try await agent.ask(.POST, "/v1/undo", "{\"action\":\(action)}")
      #expect(undone.list("leftAlone").map { $0["reason"] as? String } == ["groupInUse"])
      #expect(try await Self.titles(agent) == ["Rowing"])
      #expect(try await Self.names(in: "Rowing", agent) == ["Eve"])
    }
  }

  @Test func `a file imported twice changes nothing, and an existing contact is never moved`()
    async throws
  {
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(Self.crew, into: agent)
      let again = try await TransferTests.imported(Self.crew, into: agent, "onDuplicate=update")
      #expect(TransferTests.summary(again)["unchanged"] == 4)
      #expect(Self.made(again) == [])
      #expect(TransferTests.summary(again)["action"] == nil)
      let amy = try await MediaTransferTests.contact("Amy", on: agent)["id"] as? String ?? ""
      let work = try await agent.ask(
        .POST, "/v1/groups/Work/contacts", #"{"contacts":["\#(amy)"]}"#)
      #expect(work.json["moved"] as? Int == 1)
      for policy in ["skip", "update"] {
        let third = try await TransferTests.imported(
          Self.crew, into: agent, "onDuplicate=\(policy)")
        #expect(TransferTests.summary(third)["unchanged"] == 4)
        #expect(
          Self.sentences(third) == [
            "The contact stays in “Work”; the file names the group “Rowing”."
          ])
        #expect(try await Self.names(in: "Work", agent) == ["Amy", "Cy"])
      }
    }
  }

  @Test func `an own group of the title is used, and the default group by its name too`()
    async throws
  {
    try await RunningAgent.with { agent in
      _ = try await agent.ask(.POST, "/v1/groups", #"{"title":"Rowing"}"#)
      let file = Self.crew + Self.card("Flo", in: "Contacts") + Self.card("Gil", in: " Rowing ")
      let lines = try await TransferTests.imported(file, into: agent)
      #expect(Self.made(lines) == ["Work"])
      #expect(try await Self.names(in: "Rowing", agent) == ["Amy", "Di", "Gil"])
      #expect(try await Self.names(in: "Contacts", agent) == ["Bo", "Flo"])
    }
  }

  @Test func `a named destination has precedence over the file`() async throws {
    try await RunningAgent.with { agent in
      _ = try await agent.ask(.POST, "/v1/groups", #"{"title":"Crew"}"#)
      let lines = try await TransferTests.imported(Self.crew, into: agent, "group=Crew")
      #expect(Self.made(lines) == [])
      #expect(try await Self.titles(agent) == ["Crew"])
      #expect(try await Self.names(in: "Crew", agent) == ["Amy", "Bo", "Cy", "Di"])
    }
  }

  // MARK: Groups that others can see

  @Test func `nothing is added to a group of another account that has the title`() async throws {
    try await RunningAgent.with { agent in
      try await agent.tell(of: [], isWritable: true)
      let lines = try await TransferTests.imported(Self.crew, into: agent)
      #expect(TransferTests.summary(lines)["added"] == 4)
      #expect(Self.made(lines) == ["Work"])
      #expect(try await Self.names(in: RunningAgent.rowingID, agent) == [])
      #expect(try await Self.names(in: "Contacts", agent) == ["Amy", "Bo", "Di"])
      let sentence = """
        The contacts of the group “Rowing” go to “Contacts”. Others can see the group of that title. \
        To put them there: contactsctl import --group
        """
      #expect(Self.sentences(lines) == [sentence])
      let again = try await TransferTests.imported(Self.crew, into: agent)
      #expect(TransferTests.summary(again)["unchanged"] == 4)
      #expect(Self.sentences(again) == [sentence])
    }
  }

  @Test(arguments: ["skip", "update", "new"])
  func `nothing is added to an own group that others can see`(policy: String) async throws {
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(Self.card("Amy", in: "Rowing"), into: agent)
      try await Self.share("Rowing", on: agent)
      let lines = try await TransferTests.imported(
        Self.crew, into: agent, "onDuplicate=\(policy)")
      #expect(try await Self.names(in: "Rowing", agent) == ["Amy"])
      let own = try await agent.ask(.GET, "/v1/contacts?group=Contacts&limit=100")
        .list("contacts").compactMap { $0["name"] as? String }.filter {
          $0.count <= 3 && $0 != "Gus"
        }
      #expect(own.sorted() == (policy == "new" ? ["Amy", "Bo", "Di"] : ["Bo", "Di"]))
      #expect(Self.sentences(lines).count == 1)
    }
  }

  // MARK: Copies

  @Test(arguments: ["vcard3", "jcard", "json", "csv"])
  func `a contact that is in two groups remains two contacts`(format: String) async throws {
    let both = Self.card("Amy", in: nil)
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(both, into: agent)
      _ = try await agent.ask(.POST, "/v1/groups", #"{"title":"Rowing"}"#)
      _ = try await TransferTests.imported(both, into: agent, "group=Rowing")
      let text = try await TransferTests.exported(agent, "format=\(format)")
      let back = try await TransferTests.imported(text, into: agent)
      #expect(TransferTests.summary(back)["unchanged"] == 12)
      try await RunningAgent.with { other in
        for unchanged in [10, 12] {
          let lines = try await TransferTests.imported(text, into: other)
          #expect(TransferTests.summary(lines)["unchanged"] == unchanged)
          #expect(try await Self.names(in: "Rowing", other) == ["Amy"])
          let own = try await other.ask(.GET, "/v1/contacts?group=Contacts").list("contacts")
          #expect(own.count == 11)
        }
      }
    }
  }

  // MARK: Limits

  @Test func `a dry run names each group once, in however many steps, and creates none`()
    async throws
  {
    let file = (0..<900).map { Self.card("P\($0)", in: "G\($0 % 3)") }.joined()
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(file, into: agent, "dryRun=true")
      #expect(Self.made(lines) == ["G0", "G1", "G2"])
      #expect(TransferTests.summary(lines)["added"] == 900)
      #expect(try await Self.titles(agent) == [])
    }
  }

  @Test(.onlyInCheck)
  func `a title that no group can have is reported once, and no contact is lost`()
    async throws
  {
    let titles = [
      "a\\u0007b", String(repeating: "x", count: 300), String(repeating: "y", count: 1 << 20),
    ]
    let contacts = (0..<9).map {
      #"{"id":"P\#($0)","firstName":"P\#($0)","groupTitle":"\#(titles[$0 % 3])"}"#
    }
    try await RunningAgent.with { agent in
      let file = "{\"contacts\":[\(contacts.joined(separator: ","))]}"
      let lines = try await TransferTests.imported(file, into: agent)
      #expect(TransferTests.summary(lines)["added"] == 9)
      #expect(try await Self.titles(agent) == [])
      let sentences = Self.sentences(lines)
      #expect(sentences.count == 3)
      #expect(
        sentences.first
          == "The contacts of the group “ab” go to “Contacts”. The title contains a control character."
      )
      #expect(
        sentences.last?.hasSuffix(
          "The title is too long: 1.05 MB; the limit is 255 bytes.") == true)
      #expect(sentences.allSatisfy { $0.utf8.count < 200 })
    }
  }

  @Test func `an import creates a limited number of groups`() async throws {
    let count = ImportedGroups.madeMaximum + 2
    let file = (0..<count).map { Self.card("P\($0)", in: "G\($0)") }.joined()
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(file, into: agent)
      #expect(TransferTests.summary(lines)["added"] == count)
      #expect(Self.made(lines)?.count == ImportedGroups.madeMaximum)
      #expect(try await Self.titles(agent).count == ImportedGroups.madeMaximum)
      #expect(Self.sentences(lines).count == 2)
      #expect(Self.sentences(lines)[0].hasSuffix("One import creates at most 500 groups."))
    }
  }

  @Test(.onlyInCheck)
  func `a contact that cannot be stored costs neither the others nor their group`()
    async throws
  {
    let note = String(repeating: "x", count: 1 << 20)
    func contact(_ name: String, _ group: String, _ note: String) -> String {
      #"{"id":"\#(name)","firstName":"\#(name)","groupTitle":"\#(group)","note":"\#(note)"}"#
    }
    let contacts = [
      contact("Huge", "Alone", note), contact("Large", "Rowing", note),
      contact("Amy", "Rowing", ""),
      contact("Bo", "", ""), contact("Di", "Rowing", ""),
    ]
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(
        "[\(contacts.joined(separator: ","))]", into: agent)
      #expect(TransferTests.summary(lines)["added"] == 3)
      #expect(TransferTests.summary(lines)["failed"] == 2)
      #expect(Self.made(lines) == ["Rowing"])
      #expect(try await Self.titles(agent) == ["Rowing"])
      #expect(try await Self.names(in: "Rowing", agent) == ["Amy", "Di"])
      #expect(try await Self.names(in: "Contacts", agent) == ["Bo"])
    }
  }
}
