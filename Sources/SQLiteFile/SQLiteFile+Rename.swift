import Glibc
import Records

extension SQLiteFile {
  /// Renames a database that no connection has open, and synchronizes it and its directory to disk. Replaces a file at
  /// `target`.
  /// - Throws: `inUse` if the database has a write-ahead log, without which it is incomplete; `full` or `disk`.
  package static func rename(_ path: String, to target: String) throws(StoreError) {
    guard !hasLog(path) else {
      throw StoreError(.inUse, "Another program has the database \(path) open.")
    }
    do {
      try FileProbe.publish(path, as: target)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Deletes a database with its write-ahead log and shared-memory file, if it exists.
  package static func remove(_ path: String) throws(StoreError) {
    do {
      for end in ["", "-wal", "-shm"] { try FileProbe.remove(path + end) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Whether there is a file at `path` that is not empty. An empty one is taken for a new database.
  package static func hasContent(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  /// Whether the database at `path` has a write-ahead log or a journal with pages in it. A database that gets its name
  /// would be changed by them.
  package static func hasLog(_ path: String) -> Bool {
    ["-wal", "-journal"].contains { hasContent(path + $0) }
  }

  /// Whether there is a file or a directory at `path`.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Makes a file, or the names in a directory, durable.
  /// - Throws: `full` or `disk`.
  package static func synchronize(_ path: String) throws(StoreError) {
    do {
      try FileProbe.synchronize(path)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
