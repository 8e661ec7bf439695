// What a disk or a file can do to a store, told apart by what its owner must do about it.

import GRDB

/// A failure of a store's file or disk.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure.
  package enum Kind: Hashable, Sendable {
    /// The file is not one of ours, or not a database.
    case foreign
    /// The file was written by a newer version.
    case newer
    /// The file cannot be opened or created.
    case unreadable
    /// The file is damaged.
    case damaged
    /// The disk is full, read-only or failing: trying again later may help.
    case disk
    /// Anything else: our own mistake.
    case unexpected
  }

  /// The kind.
  package let kind: Kind
  /// What happened, in one sentence.
  package let message: String

  /// A failure.
  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// What SQLite's error about the file at `path` means.
  package init(_ error: any Error, path: String) {
    guard let error = error as? DatabaseError else {
      self = (error as? StoreError) ?? StoreError(.unexpected, "\(path): \(error)")
      return
    }
    let text = error.message ?? "error \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_NOTADB: self.init(.foreign, "\(path) is not a database.")
    case .SQLITE_CORRUPT: self.init(.damaged, "The database \(path) is damaged: \(text).")
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      self.init(.unreadable, "The database \(path) cannot be opened: \(text).")
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_BUSY, .SQLITE_NOMEM:
      self.init(.disk, "The database \(path) cannot be written: \(text).")
    default: self.init(.unexpected, "The database \(path) failed: \(text).")
    }
  }

  package var description: String { message }
}
