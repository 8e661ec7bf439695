// A look at a file before SQLite is let near it: SQLite makes a missing one and is vague about one
// that may not be read.

import Foundation

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
}
