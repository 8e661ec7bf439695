// Pictures and sounds on their way in and out of a running agent.

import AssetFiles
import Foundation
import NIOCore
import NIOHTTP1
import Records
import TestTiers
import Testing

@testable import AgentDaemon
@testable import DeviceDriver

@Suite("A2, I19: pictures of an import are files", .timeLimit(.minutes(5)))
struct MediaTransferTests {
  static let picture = PhotoRoutesTests.picture(byteCount: 300_000)
  static let second = PhotoRoutesTests.picture(byteCount: 150_001, side: 100)
  static let sound: [UInt8] = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  static let cards = """
    BEGIN:VCARD
    VERSION:3.0
    UID:u-1
    FN:Amy Bell
    N:Bell;Amy;;;
    PHOTO;ENCODING=b;TYPE=PNG;X-CROP=1:\(Data(picture).base64EncodedString())
    PHOTO;ENCODING=b;TYPE=PNG:\(Data(second).base64EncodedString())
    SOUND;ENCODING=b;TYPE=OGG:\(Data(sound).base64EncodedString())
    END:VCARD
    BEGIN:VCARD
    VERSION:3.0
    UID:u-2
    FN:Zed Adams
    N:Adams;Zed;;;
    PHOTO;ENCODING=b;TYPE=PNG:\(Data(picture).base64EncodedString())
    END:VCARD

    """

  /// The files of an agent.
  static func files(_ agent: RunningAgent) -> Set<AssetDigest> {
    Set((UInt8.min...UInt8.max).flatMap { agent.driver.files.disk.unpinned(inDirectory: $0) })
  }

  /// The contact whose name begins so.
  static func contact(_ name: String, on agent: RunningAgent) async throws -> [String: Any] {
    let list = try await agent.ask(.GET, "/v1/contacts?q=\(name)").list("contacts")
    return try #require(list.first)
  }

  @Test(.onlyInCheck) func `every picture becomes a file, the second one and the sound too`()
    async throws
  {
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(Self.cards, into: agent)
      #expect(TransferTests.summary(lines)["added"] == 2)
      #expect(TransferTests.summary(lines)["flagged"] == 0)
      let amy = try await Self.contact("Amy", on: agent)
      let photo = try #require(amy["photo"] as? [String: Any])
      #expect(photo["mediaType"] as? String == "image/png")
      #expect(photo["digest"] as? String == Asset(of: Self.picture).id.description)
      let other = try #require(amy["other"] as? [[String: Any]])
      let contents = other.compactMap { ($0["content"] as? [String: Any])?["digest"] as? String }
      #expect(
        contents == [Asset(of: Self.second), Asset(of: Self.sound)].map(\.id.description))
      let id = try #require(amy["id"] as? String)
      let looked = try await agent.open(.GET, "/v1/contacts/\(id)/photo")
      let bytes = try await looked.body.collect(upTo: 1 << 20)
      #expect(Array(bytes.readableBytesView) == Self.picture)
      // The same picture of two contacts is one file.
      #expect(Self.files(agent).count == 3)
    }
  }

  @Test(.onlyInCheck, arguments: ["vcard3", "vcard4", "jcard", "json"])
  func `what comes back out is the same, byte for byte, however often`(format: String)
    async throws
  {
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(Self.cards, into: agent)
      let first = try await TransferTests.exported(agent, "format=\(format)")
      for bytes in [Self.picture, Self.second, Self.sound] {
        let text = Data(bytes).base64EncodedString()
        let flat = first.replacing("\r\n ", with: "").replacing("\\/", with: "/")
        #expect(flat.contains(text), "\(bytes.count) bytes are missing")
      }
      let back = try await TransferTests.imported(first, into: agent)
      #expect(TransferTests.summary(back)["unchanged"] == 12)
      try await RunningAgent.with { other in
        for contact in try await other.ask(.GET, "/v1/contacts").list("contacts") {
          let id = contact["id"] as? String ?? ""
          _ = try await other.ask(.DELETE, "/v1/contacts/\(id)?acknowledged=true")
        }
        _ = try await TransferTests.imported(first, into: other)
        let second = try await TransferTests.exported(other, "format=\(format)")
        // When the contact was changed here is no part of what was imported.
        let own =
          /"id":"[^"]*",|"uid":"[^"]*",|"modified":"[^"]*",|REV:[0-9TZ:-]*\r\n|\["rev"[^\]]*\],?/
        #expect(second.replacing(own, with: "") == first.replacing(own, with: ""))
        #expect(Self.files(other) == Self.files(agent))
      }
    }
  }

  @Test(.onlyInCheck) func `a dry run and what is here already leave no file behind`() async throws
  {
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(Self.cards, into: agent, "dryRun=true")
      #expect(Self.files(agent).isEmpty)
      _ = try await TransferTests.imported(Self.cards, into: agent)
      let before = Self.files(agent)
      let other = Self.cards.replacing(
        Data(Self.picture).base64EncodedString(),
        with: Data(PhotoRoutesTests.picture(byteCount: 999)).base64EncodedString())
      let skipped = try await TransferTests.imported(other, into: agent)
      #expect(TransferTests.summary(skipped)["skipped"] == 2)
      #expect(Self.files(agent) == before)
    }
  }

  @Test func `an incomplete picture is imported unchanged, with a warning`() async throws {
    let cut = Array(Self.picture.prefix(20))
    let card = """
      BEGIN:VCARD
      VERSION:3.0
      FN:Bo Cut
      PHOTO;ENCODING=b;TYPE=PNG:\(Data(cut).base64EncodedString())
      END:VCARD

      """
    try await RunningAgent.with { agent in
      let lines = try await TransferTests.imported(card, into: agent)
      #expect(TransferTests.summary(lines)["flagged"] == 1)
      let findings = (lines[0]["contact"] as? [String: Any])?["findings"] as? [[String: Any]]
      #expect(findings?.first?["property"] as? String == "PHOTO")
      #expect(findings?.first?["line"] as? Int == 4)
      let said = try #require(findings?.first?["message"] as? String)
      #expect(said.hasSuffix("is damaged. It is kept unchanged."))
      let text = try await TransferTests.exported(agent, "format=vcard3")
      #expect(text.contains(Data(cut).base64EncodedString()))
    }
  }

  @Test(.onlyInCheck) func `an export without a picture that is elsewhere says so`() async throws {
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(Self.cards, into: agent)
      let whole = try await agent.open(.GET, "/v1/export")
      #expect(whole.headers.first(name: "media-missing") == "0")
      _ = try await whole.body.collect(upTo: 16 << 20)
      try await agent.driver.discard(Asset(of: Self.second))
      let part = try await agent.open(.GET, "/v1/export")
      #expect(part.headers.first(name: "media-missing") == "1")
      let text = String(buffer: try await part.body.collect(upTo: 16 << 20))
      #expect(text.components(separatedBy: "PHOTO;").count == 3)
      let table = try await agent.open(.GET, "/v1/export?format=csv")
      #expect(table.headers.first(name: "media-missing") == "0")
      _ = try await table.body.collect(upTo: 1 << 20)
    }
  }

  @Test(.onlyInCheck) func `emptying the trash removes the files of what was in it`() async throws {
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(Self.cards, into: agent)
      let id = try await Self.contact("Amy", on: agent)["id"] as? String ?? ""
      _ = try await agent.ask(.DELETE, "/v1/contacts/\(id)?acknowledged=true")
      #expect(Self.files(agent).count == 3)
      #expect(try await agent.ask(.DELETE, "/v1/trash").json["erased"] as? Int == 1)
      #expect(Self.files(agent) == [Asset(of: Self.picture).id], "Zed has the same picture")
    }
  }

  @Test(.onlyInCheck) func `an import replaces a damaged file that has the same content`()
    async throws
  {
    try await RunningAgent.with { agent in
      _ = try await TransferTests.imported(Self.cards, into: agent)
      let digest = Asset(of: Self.sound).id
      let path = agent.driver.files.disk.path(of: digest)
      try Data(Self.sound.reversed()).write(to: URL(filePath: path))
      _ = try await TransferTests.imported(Self.cards, into: agent)
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(Self.sound))
    }
  }
}
