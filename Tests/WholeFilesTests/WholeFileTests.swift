import Foundation
import Testing

@testable import WholeFiles

@Suite("files that appear when they are whole")
struct WholeFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "whole-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private var path: String { "\(folder)/key" }

  private func content() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func `a file is there when it is finished, and only its owner may read it`() throws {
    let file = try WholeFile(at: path)
    try file.write(Array("one".utf8))
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.finish()
    #expect(try content() == "one")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["key"])
  }

  @Test func `one that is given up leaves what was there`() throws {
    try WholeFile.put(Array("one".utf8), at: path)
    let file = try WholeFile(at: path)
    try file.write(Array("other".utf8))
    file.discard()
    #expect(try content() == "one")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["key"])
  }

  @Test func `a link that somebody laid in its place is replaced, not followed`() throws {
    let other = "\(folder)/other"
    try Data("precious".utf8).write(to: URL(filePath: other))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    try WholeFile.put(Array("secret".utf8), at: path)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
    #expect(try content() == "secret")
  }

  @Test func `where nothing may be made, the system's reason is told`() {
    #expect(throws: WholeFile.Failure(number: ENOENT)) {
      try WholeFile.put([], at: "\(folder)/nowhere/key")
    }
  }
}
