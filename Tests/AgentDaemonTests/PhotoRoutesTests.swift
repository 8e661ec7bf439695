import AssetFiles
import DeviceDriver
import Foundation
import NIOCore
import NIOHTTP1
import Processes
import Records
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("C4, I19 photo routes", .timeLimit(.minutes(5)))
struct PhotoRoutesTests {
  static let path = "/v1/contacts/bundled-1-01/photo"

  /// A complete PNG of 300 × `side`, with `byteCount` bytes, at least 57.
  static func picture(byteCount: Int = 200_000, side: UInt8 = 200) -> [UInt8] {
    let head: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0,
      1, 44, 0, 0, 0, side, 8, 2, 0, 0, 0, 0, 0, 0, 0,
    ]
    let end: [UInt8] = [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    // The length, the name and the checksum surround the data.
    let dataCount = byteCount - head.count - end.count - 12
    let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: dataCount >> $0) }
    let data = (0..<dataCount).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    return head + length + Array("IDAT".utf8) + data + [0, 0, 0, 0] + end
  }

  func put(
    _ bytes: [UInt8], on agent: RunningAgent, path: String = Self.path,
    headers: [String: String] = [:]
  ) async throws -> (status: Int, headers: HTTPHeaders, json: [String: Any]) {
    let response = try await HTTPTestClient(socket: agent.socket).send(
      HTTPTestRequest(.PUT, path, headers: headers, bytes: bytes))
    let body = try await response.body.collect(upTo: 16 << 20)
    let json = try? JSONSerialization.jsonObject(with: Data(body.readableBytesView))
    return (Int(response.status.code), response.headers, json as? [String: Any] ?? [:])
  }

  func code(_ json: [String: Any]) -> String? {
    (json["error"] as? [String: Any])?["code"] as? String
  }

  func message(_ json: [String: Any]) -> String? {
    (json["error"] as? [String: Any])?["message"] as? String
  }

  @Test func `a photo is set, told, looked at and removed`() async throws {
    try await RunningAgent.with { agent in
      #expect(try await agent.ask(.GET, Self.path).status == 404)
      let bytes = Self.picture()
      let set = try await put(bytes, on: agent)
      #expect(set.status == 200)
      let photo = try #require(set.json["photo"] as? [String: Any])
      #expect(photo["mediaType"] as? String == "image/png")
      #expect(photo["sizeBytes"] as? Int == bytes.count)
      let looked = try await agent.open(.GET, Self.path)
      #expect(looked.status == .ok)
      #expect(looked.headers.first(name: "content-type") == "image/png")
      #expect(looked.headers.first(name: "x-content-type-options") == "nosniff")
      let got = try await looked.body.collect(upTo: 1 << 20)
      #expect(Array(got.readableBytesView) == bytes)
      let tag = try #require(looked.headers.first(name: "etag"))
      let same = try await agent.ask(.GET, Self.path, headers: ["If-None-Match": tag])
      #expect(same.status == 304)
      #expect(try await agent.ask(.DELETE, Self.path).status == 204)
      #expect(try await agent.ask(.GET, Self.path).status == 404)
      #expect(try await agent.ask(.DELETE, Self.path).status == 204)
    }
  }

  @Test(.onlyInCheck) func `what is no picture is refused and nothing of it is kept`() async throws
  {
    try await RunningAgent.with { agent in
      for text in ["<svg/>", "#!/bin/sh", ""] {
        let answer = try await put(Array(text.utf8), on: agent)
        #expect(answer.status == 400)
        #expect(code(answer.json) == "invalidArguments")
      }
      let cut = try await put(Self.picture().dropLast(), on: agent)
      #expect(code(cut.json) == "invalidArguments")
      #expect(message(cut.json) == "The file begins like image/png and ends too early.")
      let huge = try await put(Self.picture(byteCount: 21_500_000), on: agent)
      #expect(code(huge.json) == "limitExceeded")
      #expect(
        message(huge.json) == "The photo is 21.5 MB; the largest allowed is 20 MB.")
      let files = agent.driver.files.disk
      let kept = (0...255).flatMap { files.unpinned(inDirectory: UInt8($0)) }
      #expect(kept.isEmpty)
      #expect(try await agent.ask(.GET, Self.path).status == 404)
    }
  }

  @Test func `a photo for nobody, or for a contact that has changed, is refused and not kept`()
    async throws
  {
    try await RunningAgent.with { agent in
      let nobody = try await put(Self.picture(), on: agent, path: "/v1/contacts/nobody/photo")
      #expect(nobody.status == 404)
      let stale = try await put(Self.picture(), on: agent, headers: ["If-Match": "\"999999\""])
      #expect(stale.status == 412)
      let files = agent.driver.files.disk
      #expect((0...255).flatMap { files.unpinned(inDirectory: UInt8($0)) }.isEmpty)
    }
  }

  @Test func `a damaged file is never served, and said to be away while there is no broker`()
    async throws
  {
    try await RunningAgent.with { agent in
      _ = try await put(Self.picture(), on: agent)
      let files = agent.driver.files.disk
      let digest = try #require((0...255).flatMap { files.unpinned(inDirectory: UInt8($0)) }.first)
      let path = URL(filePath: files.path(of: digest))
      var bytes = try Data(contentsOf: path)
      bytes[100_000] ^= 1
      try bytes.write(to: path)
      let answer = try await agent.ask(.GET, Self.path + "?wait=0")
      #expect(answer.status == 503)
      #expect(answer.code == "serviceUnavailable")
    }
  }

  @Test func `after a sign-out no incomplete downloads of photos are left`() async throws {
    try await RunningAgent.with { agent in
      let files = agent.driver.files.disk
      try files.part(named: "fetch-\(Asset(of: [1, 2, 3]).id)").append([1])
      let answer = try await agent.ask(.POST, "/v1/signout", #"{"discard": true}"#)
      #expect(answer.status < 300)
      try await Patience.wait(until: "the part to be gone") { files.parts(prefix: "").isEmpty }
    }
  }

  @Test func `the same picture for two contacts is kept once`() async throws {
    try await RunningAgent.with { agent in
      _ = try await put(Self.picture(), on: agent)
      _ = try await put(Self.picture(), on: agent, path: "/v1/contacts/bundled-1-02/photo")
      let files = agent.driver.files.disk
      #expect((0...255).flatMap { files.unpinned(inDirectory: UInt8($0)) }.count == 1)
      _ = try await agent.ask(.DELETE, Self.path)
      let looked = try await agent.open(.GET, "/v1/contacts/bundled-1-02/photo")
      #expect(looked.status == .ok)
      _ = try await looked.body.collect(upTo: 1 << 20)
    }
  }
}
