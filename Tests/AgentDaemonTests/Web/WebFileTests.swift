// The files of the web page as the program has them.

import Foundation
import NIOHTTP1
import Testing

@testable import AgentDaemon

@Suite("W1 files of the web page", .timeLimit(.minutes(5)))
struct WebFileTests {
  /// The maximum size of all files.
  private static let bytesMaximum = 300_000

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
    for (path, file) in WebFile.all { #expect(stored[path] == file.bytes, "\(path)") }
    #expect(WebFile.all.values.map(\.bytes.count).reduce(0, +) <= Self.bytesMaximum)
  }

  @Test func `a file is sent once and then only confirmed`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(linkOf: agent)
      for (path, file) in WebFile.all {
        let answer = try await page.send(.GET, path)
        #expect(answer.status == 200)
        #expect(answer.headers.first(name: "content-type") == file.mediaType)
        #expect(answer.headers.first(name: "content-length") == String(file.bytes.count))
        let tag = try #require(answer.headers.first(name: "etag"))
        #expect(tag.hasPrefix("\"") && tag.count == 34)
        for known in [tag, "\"x\", \(tag)"] {
          let again = try await page.send(.GET, path, nil, ["If-None-Match": known])
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
