// The files of the web page as the program has them.

import Foundation
import NIOHTTP1
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("W1 files of the web page", .timeLimit(.minutes(5)))
struct WebFileTests {
  /// The maximum size of all files as a browser receives them, and of those that the first list needs.
  private static let bytesMaximum = 167_000

  private static let folder = URL(filePath: #filePath)
    .appending(path: "../../../../Sources/AgentDaemon/Web/Page").standardized

  /// The path and content of each file in the folder.
  private func stored() throws -> [String: [UInt8]] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
    var files: [String: [UInt8]] = [:]
    for name in names {
      let url = Self.folder.appending(path: name)
      guard !url.hasDirectoryPath, let data = try? Data(contentsOf: url) else { continue }
      files[name == "index.html" ? "/" : "/\(name)"] = Array(data)
    }
    return files
  }

  @Test func `the program has every file of the folder`() throws {
    let stored = try stored()
    #expect(Set(stored.keys) == Set(WebFile.all.keys))
    for (path, file) in WebFile.all {
      // Without the bytes, which a failure would print.
      let isSame = stored[path] == file.plain.bytes
      #expect(isSame, "\(path)")
    }
  }

  @Test func `a browser receives every file with the first, and little in all`() throws {
    let page = String(decoding: try #require(WebFile.all["/"]).plain.bytes, as: UTF8.self)
    let named = page.matches(of: /(?:href|src)="([a-z-]+\.(?:css|js|svg))"/).map { "/\($0.1)" }
    let files = try Set(named + ["/"]).map { try #require(WebFile.all[$0], "\($0)") }
    let sizes = { (files: [WebFile]) in files.compactMap(\.compressed?.bytes.count).reduce(0, +) }
    #expect(Set(named + ["/"]) == Set(WebFile.all.keys))
    #expect(sizes(files) > 100_000 && sizes(files) <= Self.bytesMaximum)
  }

  @Test func `a file is compressed for a browser that reads gzip`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(linkOf: agent)
      let file = try #require(WebFile.all["/app.js"])
      let compressed = try #require(file.compressed)
      let answer = try await page.send(.GET, "/app.js", nil, ["Accept-Encoding": "br, GZIP;q=0.5"])
      #expect(answer.headers.first(name: "content-encoding") == "gzip")
      #expect(answer.headers.first(name: "content-length") == String(compressed.bytes.count))
      #expect(answer.headers.first(name: "etag") == compressed.tag)
      #expect(answer.headers.first(name: "vary") == "Accept-Encoding")
      for other in ["br", "gzip;q=0", "x-gzip2"] {
        let plain = try await page.send(.GET, "/app.js", nil, ["Accept-Encoding": other])
        #expect(plain.headers.first(name: "content-encoding") == nil)
        #expect(plain.headers.first(name: "etag") == file.plain.tag)
      }
      // The tag of one form says nothing about the other.
      let again = try await page.send(
        .GET, "/app.js", nil, ["Accept-Encoding": "gzip", "If-None-Match": file.plain.tag])
      #expect(again.status == 200)
    }
  }

  @Test(.onlyInCheck) func `a file is sent once and then only confirmed`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(linkOf: agent)
      for (path, file) in WebFile.all {
        let answer = try await page.send(.GET, path, nil, ["Accept-Encoding": "identity"])
        #expect(answer.status == 200)
        #expect(answer.headers.first(name: "content-type") == file.mediaType)
        #expect(answer.headers.first(name: "content-length") == String(file.plain.bytes.count))
        let tag = try #require(answer.headers.first(name: "etag"))
        #expect(tag.hasPrefix("\"") && tag.count == 34)
        for known in [tag, "\"x\", \(tag)"] {
          let again = try await page.send(
            .GET, path, nil, ["Accept-Encoding": "identity", "If-None-Match": known])
          #expect(again.status == 304)
          #expect(again.headers.first(name: "etag") == tag)
        }
        let changed = try await page.send(.GET, path, nil, ["If-None-Match": "\"x\""])
        #expect(changed.status == 200)
      }
    }
  }

  @Test(arguments: ["/unknown", "/index.html/", "/../Package.swift", "/%2e%2e/x", "//", "/web"])
  func `there are no other files`(path: String) async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(linkOf: agent)
      #expect(try await page.send(.GET, path).status == 404)
    }
  }
}
