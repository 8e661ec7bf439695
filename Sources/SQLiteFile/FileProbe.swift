import Foundation
import Glibc
import Records

/// Checks a file before SQLite opens it, because SQLite creates missing files and reports unreadable ones
/// vaguely.
enum FileProbe {
  /// Returns the size of the file at `path`; 0 if there is none.
  /// - Throws: `StoreError` if it is a directory, or cannot be read and written.
  static func sizeBytes(of path: String) throws -> Int {
    let manager = FileManager.default
    var isDirectory: ObjCBool = false
    guard manager.fileExists(atPath: path, isDirectory: &isDirectory) else { return 0 }
    guard !isDirectory.boolValue else {
      throw StoreError(.unreadable, "\(path) is a directory, not a database.")
    }
    guard manager.isReadableFile(atPath: path), manager.isWritableFile(atPath: path) else {
      throw StoreError(.unreadable, "This user has no permission to read and write \(path).")
    }
    return try manager.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  /// Returns the files next to `path` whose names are its name followed by a dot and a digit.
  static func numbered(_ path: String) throws -> [String] {
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = end.map { path[path.index(after: $0)...] } ?? path[...]
    return try FileManager.default.contentsOfDirectory(atPath: directory).filter { other in
      other.hasPrefix("\(name).") && other.dropFirst(name.count + 1).first?.isNumber == true
    }.map { "\(directory)/\($0)" }
  }

  /// Deletes a file if it exists.
  static func remove(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure(of: path) }
  }

  /// Renames a complete file and synchronizes the file and its directory to disk.
  static func publish(_ partial: String, as path: String) throws {
    try synchronize(partial)
    guard rename(partial, path) == 0 else { throw failure(of: path) }
    let end = path.lastIndex(of: "/")
    try synchronize(end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
  }

  static func synchronize(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(of: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(of: path) }
  }

  private static func failure(of path: String) -> StoreError {
    StoreError(
      errno == ENOSPC ? .full : .disk,
      "Cannot write \(path): \(String(cString: strerror(errno))).")
  }
}
