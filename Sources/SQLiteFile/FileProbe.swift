// A look at a file before SQLite is let near it: SQLite makes a missing one and is vague about one
// that may not be read.

import Foundation
import Glibc
import Records

enum FileProbe {
  /// The size of the file at `path`; 0 when there is none.
  /// - Throws: `StoreError` when it is there and may not be read, or is a directory.
  static func sizeBytes(of path: String) throws -> Int {
    let manager = FileManager.default
    var isDirectory: ObjCBool = false
    guard manager.fileExists(atPath: path, isDirectory: &isDirectory) else { return 0 }
    guard !isDirectory.boolValue else {
      throw StoreError(.unreadable, "\(path) is a directory, not a database.")
    }
    guard manager.isReadableFile(atPath: path), manager.isWritableFile(atPath: path) else {
      throw StoreError(.unreadable, "\(path) may not be read and written.")
    }
    return try manager.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  /// The files beside the one at `path` whose names go on with a point and a digit.
  static func numbered(_ path: String) throws -> [String] {
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = end.map { path[path.index(after: $0)...] } ?? path[...]
    return try FileManager.default.contentsOfDirectory(atPath: directory).filter { other in
      other.hasPrefix("\(name).") && other.dropFirst(name.count + 1).first?.isNumber == true
    }.map { "\(directory)/\($0)" }
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure(of: path) }
  }

  /// Gives a file that is written its name, for good: file and directory are on the disk.
  static func publish(_ partial: String, as path: String) throws {
    try synchronize(partial)
    guard rename(partial, path) == 0 else { throw failure(of: path) }
    let end = path.lastIndex(of: "/")
    try synchronize(end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
  }

  private static func synchronize(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(of: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(of: path) }
  }

  private static func failure(of path: String) -> StoreError {
    StoreError(
      errno == ENOSPC ? .full : .disk,
      "\(path) cannot be written: \(String(cString: strerror(errno))).")
  }
}
