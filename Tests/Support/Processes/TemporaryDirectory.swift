import Foundation

/// A directory of one test, deleted with its contents when this object is. Its path is short enough for the
/// path of a Unix socket.
package final class TemporaryDirectory: Sendable {
  /// The directory's path.
  package let path: String

  /// Creates the directory.
  package init() throws {
    path = "/tmp/c\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: NSNumber(value: 0o755)])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of the file `name` in the directory.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Returns the bytes of the file `name`; empty if it does not exist.
  package func bytes(of name: String) -> [UInt8] {
    FileManager.default.contents(atPath: file(name)).map { Array($0) } ?? []
  }

  /// Writes the file `name` and creates missing parent directories.
  package func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(filePath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// A file lacks the text that a test changes in it.
  private struct TextMissing: Error, CustomStringConvertible {
    let description: String
  }

  /// Flips one bit in each occurrence of `text` in the file `name`.
  /// - Throws: Also if the file does not contain it.
  package func flip(_ text: String, in name: String) throws {
    var bytes = Data(self.bytes(of: name))
    let marker = Data(text.utf8)
    var places: [Int] = []
    while let place = bytes.range(of: marker, in: (places.last.map { $0 + 1 } ?? 0)..<bytes.count) {
      places.append(place.lowerBound)
    }
    guard !places.isEmpty else { throw TextMissing(description: "“\(text)” is not in \(name).") }
    for place in places { bytes[place + marker.count / 2] ^= 1 }
    try bytes.write(to: URL(filePath: file(name)))
  }

  /// Returns the paths of the files in the directory `name` and in its subdirectories.
  package func files(in name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: file(name)).map { file("\(name)/\($0)") }
      .filter { path in
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
          && !isDirectory.boolValue
      }
  }
}
