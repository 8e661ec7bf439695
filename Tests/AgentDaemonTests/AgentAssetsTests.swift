// The agent's files against its rows: what the sweep at the start may take, and what not.

import AssetFiles
import Foundation
import Logging
import NIOHTTP1
import Processes
import Records
import Testing

@testable import AgentDaemon

@Suite("I19 the agent's files", .timeLimit(.minutes(5)))
struct AgentAssetsTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "files-\(UUID().uuidString)")

  private func assets() throws -> AgentAssets {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try AgentAssets(
      directory: folder.path, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test func `a photo whose row is written while the sweep asks for rows stays`() async throws {
    let assets = try assets()
    let photo = try await assets.keep([1, 2, 3])
    assets.sweep { _ in
      // The edit commits and lets go of the file just after the rows were read.
      assets.files.unpin(photo.id)
      return []
    }
    // One thread does one thing after another: behind this the sweep is over.
    _ = try await assets.keep([9])
    #expect(assets.files.holds(photo))
    await assets.stop()
  }

  @Test func `what a crash left without a row goes, and what has one stays`() async throws {
    let assets = try assets()
    let left = try await assets.keep([1, 2, 3])
    let entered = try await assets.keep([4, 5, 6])
    assets.files.unpin(left.id)
    assets.files.unpin(entered.id)
    assets.sweep { digests in Set(digests).intersection([entered.id]) }
    _ = try await assets.keep([9])
    #expect(!assets.files.holds(left) && assets.files.holds(entered))
    await assets.stop()
  }

  // MARK: Half of a file

  @Test func `what is half here of a photo goes as soon as nothing wants it any more`() async throws
  {
    let assets = try assets()
    let (wanted, unwanted) = (Asset(of: [1, 2, 3]), Asset(of: [4, 5, 6]))
    for asset in [wanted, unwanted] {
      try assets.files.part(named: "fetch-\(asset.id)").append([1])
    }
    let kept = try await assets.beginKeeping(byteCount: 3)
    assets.forgetParts { digests in Set(digests).intersection([wanted.id]) }
    _ = try await assets.keep([9])
    #expect(
      Set(assets.files.parts(prefix: "").map(\.name)) == ["fetch-\(wanted.id)", kept])
    await assets.stop()
  }

  @Test func `signed out a device has no halves of photos either`() async throws {
    try await RunningAgent.with { agent in
      let files = agent.driver.assets.files
      try files.part(named: "fetch-\(Asset(of: [1, 2, 3]).id)").append([1])
      let answer = try await agent.ask(.POST, "/v1/signout", #"{"discard": true}"#)
      #expect(answer.status < 300)
      try await Patience.wait(until: "the part to be gone") { files.parts(prefix: "").isEmpty }
    }
  }
}
