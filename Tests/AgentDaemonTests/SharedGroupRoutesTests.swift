// What the routes make of groups of other people: refusals where one may only read, and moves out of
// them and into them.

import AssetFiles
import DeviceDriver
import DeviceStore
import Foundation
import NIOHTTP1
import Records
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("Z5 routes into a group that one may only read")
struct ReadOnlyRoutesTests {
  private static let zelda: Fields = ["firstName": .string("Zelda")]

  /// Everything that is shown, for telling that nothing changed.
  private func shown(_ agent: RunningAgent) async throws -> [Data] {
    let contacts = try await agent.ask(.GET, "/v1/contacts").list("contacts")
    let groups = try await agent.ask(.GET, "/v1/groups").list("groups")
    let actions = try await agent.ask(.GET, "/v1/actions").list("actions")
    return try [contacts, groups, actions].map {
      try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)
    }
  }

  private static let changes: [(HTTPMethod, String, String?)] = [
    (.PATCH, "/v1/groups/GROUP", #"{"title":"Mine"}"#),
    (.DELETE, "/v1/groups/GROUP?contacts=keep", nil),
    (.DELETE, "/v1/groups/GROUP?contacts=delete", nil),
    (.DELETE, "/v1/contacts/zelda", nil),
    (.PATCH, "/v1/contacts/zelda", #"{"company":"Acme"}"#),
    (.PATCH, "/v1/contacts/zelda", #"{"group":"Contacts"}"#),
    (.PUT, "/v1/contacts/zelda", #"{"firstName":"Other"}"#),
    (.POST, "/v1/contacts", #"{"firstName":"New","group":"Rowing"}"#),
    (.POST, "/v1/groups/GROUP/contacts", #"{"contacts":["bundled-1-01"]}"#),
    (.POST, "/v1/groups/Contacts/contacts", #"{"contacts":["zelda"]}"#),
    (.POST, "/v1/groups/Contacts/contacts", #"{"from":"Rowing"}"#),
    (.POST, "/v1/contacts/zelda/merge", #"{"with":"bundled-1-01"}"#),
    (.POST, "/v1/contacts/bundled-1-01/merge", #"{"with":"zelda"}"#),
    (.DELETE, "/v1/trash?group=Rowing", nil),
    (.POST, "/v1/import?group=Rowing", "BEGIN:VCARD\nVERSION:3.0\nFN:New\nEND:VCARD\n"),
  ]

  @Test(arguments: changes)
  func `each is refused with the group's title or its owner's part, and changes nothing`(
    method: HTTPMethod, path: String, body: String?
  ) async throws {
    try await RunningAgent.with { agent in
      try await agent.tell(of: [("zelda", Self.zelda)], isWritable: false)
      let before = try await shown(agent)
      let path = path.replacingOccurrences(of: "GROUP", with: RunningAgent.rowingID)
      let answer = try await agent.ask(method, path, body)
      #expect(answer.status == 403, "\(method) \(path): \(answer.json)")
      #expect(answer.code == "permissionFailure")
      let message = (answer.json["error"] as? [String: Any])?["message"] as? String ?? ""
      #expect(message.contains("Rowing") || message.contains("owner"), "\(message)")
      #expect(try await shown(agent) == before)
    }
  }

  @Test func `a photo is neither set nor removed, and no file of it is kept`() async throws {
    try await RunningAgent.with { agent in
      let inline: Fields = Self.zelda
      try await agent.tell(of: [("zelda", inline)], isWritable: false)
      let set = try await PhotoRoutesTests().put(
        PhotoRoutesTests.picture(), on: agent, path: "/v1/contacts/zelda/photo")
      #expect(set.status == 403)
      #expect(PhotoRoutesTests().code(set.json) == "permissionFailure")
      let files = agent.driver.files.disk
      #expect((0...255).flatMap { files.unpinned(inDirectory: UInt8($0)) }.isEmpty)
      #expect(try await agent.ask(.GET, "/v1/contacts/zelda/photo").status == 404)
    }
  }

  @Test func `what was deleted while one might write is not restored or undone`() async throws {
    try await RunningAgent.with { agent in
      try await agent.tell(of: [("zelda", Self.zelda)], isWritable: true)
      #expect(try await agent.ask(.DELETE, "/v1/contacts/zelda").status == 204)
      try await agent.tell(of: [], isWritable: false, revision: 2)
      let before = try await agent.ask(.GET, "/v1/contacts").list("contacts").count
      for (path, body) in [
        ("/v1/trash/zelda/restore", nil),
        ("/v1/trash/\(RunningAgent.rowingID):zelda/restore", nil), ("/v1/undo", "{}"),
      ] as [(String, String?)] {
        let answer = try await agent.ask(.POST, path, body)
        #expect([403, 404].contains(answer.status), "\(path): \(answer.json)")
      }
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == before)
    }
  }
}

@Suite("Z1, Z3 routes that move contacts between one's own groups and others'")
struct MoveRoutesTests {
  private static let photo = Asset(digest: Array(repeating: 9, count: 32), sizeBytes: 90_000)
  private static let pictured: Fields = [
    "firstName": .string("Zelda"), "photo": .asset(photo),
  ]

  @Test func `a contact whose picture is not here and cannot be had stays where it is`()
    async throws
  {
    try await RunningAgent.with { agent in
      try await agent.tell(of: [("zelda", Self.pictured)], isWritable: true)
      try await agent.driver.edit { replica, now in ((), try replica.disconnected(now: now)) }
      for (method, path, body) in [
        (.POST, "/v1/groups/Contacts/contacts", #"{"contacts":["zelda","bundled-1-01"]}"#),
        (.PATCH, "/v1/contacts/zelda", #"{"group":"Contacts","company":"Acme"}"#),
        (.POST, "/v1/contacts/bundled-1-01/merge", #"{"with":"zelda"}"#),
      ] as [(HTTPMethod, String, String)] {
        let answer = try await agent.ask(method, path, body)
        #expect(answer.status == 503, "\(answer.json)")
        let message = (answer.json["error"] as? [String: Any])?["message"] as? String ?? ""
        #expect(message.contains("photo of “Zelda”") && message.contains("nothing was moved"))
      }
      let zelda = try await agent.ask(.GET, "/v1/contacts/zelda")
      #expect(zelda.json["group"] as? String == RunningAgent.rowingID)
      #expect(zelda.json["company"] as? String == "")
    }
  }

  @Test func `into a group that has its id a contact is not moved, and both stay`() async throws {
    try await RunningAgent.with { agent in
      try await agent.tell(
        of: [("bundled-1-01", ["firstName": .string("Theirs")])], isWritable: true)
      let mine = RunningAgent.id("bundled-1-01")
      let own = try await agent.ask(.GET, "/v1/contacts/\(mine)").json
      let theirs = RunningAgent.id("bundled-1-01", in: RunningAgent.rowing)
      for (method, path, body) in [
        (.POST, "/v1/groups/Contacts/contacts", #"{"from":"Rowing"}"#),
        (.POST, "/v1/groups/Rowing/contacts", #"{"contacts":["bundled-1-02","\#(mine)"]}"#),
        (.PATCH, "/v1/contacts/\(theirs)", #"{"group":"Contacts"}"#),
      ] as [(HTTPMethod, String, String)] {
        let answer = try await agent.ask(method, path, body)
        #expect(answer.code == "constraintViolation", "\(answer.json)")
        let error = answer.json["error"] as? [String: Any]
        #expect((error?["message"] as? String)?.contains("Nothing was moved") == true)
        #expect((error?["hint"] as? String)?.contains(theirs) == true, "\(error ?? [:])")
      }
      #expect(
        try await agent.ask(.GET, "/v1/contacts/\(mine)").json["firstName"] as? String
          == own["firstName"] as? String)
      let other = try await agent.ask(.GET, "/v1/contacts/\(theirs)")
      #expect(other.json["firstName"] as? String == "Theirs")
      #expect(
        try await agent.ask(.GET, "/v1/contacts/bundled-1-02").json["group"] as? String
          != RunningAgent.rowingID)
    }
  }

  @Test func `keeping a group's contacts overwrites none that has the same id`() async throws {
    try await RunningAgent.with { agent in
      let group = try await agent.ask(.POST, "/v1/groups", #"{"title":"Choir"}"#)
      let id = try #require(group.json["id"] as? String)
      // The same card in both groups, as an import of it into each makes it.
      let card = "BEGIN:VCARD\nVERSION:3.0\nUID:u-7\nFN:NAME\nEND:VCARD\n"
      _ = try await TransferTests.imported(
        card.replacingOccurrences(of: "NAME", with: "First"), into: agent, "onDuplicate=new")
      _ = try await TransferTests.imported(
        card.replacingOccurrences(of: "NAME", with: "Second"), into: agent,
        "group=Choir&onDuplicate=new")
      let ids = try await agent.ask(.GET, "/v1/contacts?group=\(id)").list("contacts")
        .compactMap { $0["id"] as? String }
      let deleted = try await agent.ask(.DELETE, "/v1/groups/\(id)?contacts=keep")
      #expect(deleted.status == 204 || deleted.code == "constraintViolation")
      let names = try await agent.ask(.GET, "/v1/contacts?limit=1000").list("contacts")
        .compactMap { $0["firstName"] as? String }
      #expect(names.contains("First") && names.contains("Second"), "\(ids) \(names)")
    }
  }

  @Test(.onlyInCheck) func `histories and trash are asked by public id where two have one name`()
    async throws
  {
    try await RunningAgent.with { agent in
      try await agent.tell(
        of: [("bundled-1-01", ["firstName": .string("Theirs")])], isWritable: true)
      let mine = RunningAgent.id("bundled-1-01")
      let theirs = RunningAgent.id("bundled-1-01", in: RunningAgent.rowing)
      let own = try await agent.ask(.GET, "/v1/contacts/\(mine)/history")
      let other = try await agent.ask(.GET, "/v1/contacts/\(theirs)/history")
      #expect(own.json["id"] as? String == mine)
      #expect(other.json["id"] as? String == theirs)
      #expect(other.json["name"] as? String == "Theirs")
      #expect(try await agent.ask(.DELETE, "/v1/contacts/\(theirs)").status == 204)
      #expect(try await agent.ask(.DELETE, "/v1/contacts/\(mine)").status == 204)
      let trash = try await agent.ask(.GET, "/v1/trash").list("trash")
      #expect(trash.map { $0["id"] as? String } == [mine, theirs])
      let either = try await agent.ask(.POST, "/v1/trash/bundled-1-01/restore")
      #expect(either.code == "invalidArguments", "\(either.json)")
      let restored = try await agent.ask(.POST, "/v1/trash/\(theirs)/restore")
      #expect(restored.json["firstName"] as? String == "Theirs", "\(restored.json)")
      #expect(restored.json["group"] as? String == RunningAgent.rowingID)
      let back = try await agent.ask(.POST, "/v1/trash/\(mine)/restore")
      #expect(back.json["group"] as? String != RunningAgent.rowingID)
      #expect(back.json["firstName"] as? String != "Theirs")
      #expect(try await agent.ask(.GET, "/v1/trash").list("trash").isEmpty)
      let nobody = try await agent.ask(.POST, "/v1/trash/\(theirs)/restore")
      #expect(nobody.status == 404)
    }
  }
}
