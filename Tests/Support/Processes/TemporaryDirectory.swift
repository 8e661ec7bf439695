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

  /// Flips one bit wherever a text stands in the file `name`, which holds it at least once.
  package func flip(_ text: String, in name: String) throws {
    var bytes = Data(self.bytes(of: name))
    let marker = Data(text.utf8)
    var places: [Int] = []
    while let place = bytes.range(of: marker, in: (places.last.map { $0 + 1 } ?? 0)..<bytes.count) {
      places.append(place.lowerBound)
    }
    precondition(!places.isEmpty, "“\(text)” is not in \(name).")
    for place in places { bytes[place + marker.count / 2] ^= 1 }
    try bytes.write(to: URL(filePath: file(name)))
  }

  /// The files in the directory `name`, and in those in it.
  package func files(in name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: file(name)).map { file("\(name)/\($0)") }
      .filter { path in
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
          && !isDirectory.boolValue
      }
  }
}
