import Foundation
import Testing

@testable import WholeFiles

@Suite("files that are replaced atomically")
struct WholeFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "whole-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private var path: String { "\(folder)/key" }

  private func content() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func `a finished file exists and only its owner can read it`() throws {
    let file = try WholeFile(at: path)
    try file.write(Array("one".utf8))
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.finish()
    #expect(try content() == "one")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["key"])
  }

  @Test func `a discarded file leaves the previous one in place`() throws {
    try WholeFile.put(Array("one".utf8), at: path)
    let file = try WholeFile(at: path)
    try file.write(Array("other".utf8))
    file.discard()
    #expect(try content() == "one")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["key"])
  }

  @Test func `a symbolic link at the path is replaced, not followed`() throws {
    let other = "\(folder)/other"
    try Data("precious".utf8).write(to: URL(filePath: other))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    try WholeFile.put(Array("secret".utf8), at: path)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
    #expect(try content() == "secret")
  }

  @Test func `a file that cannot be created is reported with the system's reason`() {
    #expect(throws: WholeFile.Failure(number: ENOENT)) {
      try WholeFile.put([], at: "\(folder)/nowhere/key")
    }
  }
}
