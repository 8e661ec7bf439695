// A directory of a test's own, with a name so short that a socket's path fits into it.

import Foundation

/// A directory that is there as long as this is, and then goes with everything in it.
package final class TemporaryDirectory: Sendable {
  /// Where it is.
  package let path: String

  /// Makes a directory.
  package init() throws {
    path = "/tmp/c\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: NSNumber(value: 0o755)])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of the file `name` in it.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The bytes of the file `name`; empty if there is none.
  package func bytes(of name: String) -> [UInt8] {
    FileManager.default.contents(atPath: file(name)).map { Array($0) } ?? []
  }

  /// Writes the file `name`, and the directories above it where they are missing.
  package func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(filePath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }
}
