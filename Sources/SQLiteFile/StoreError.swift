// What a disk or a file can do to a store, told apart by what its owner must do about it. Each kind
// has its own answer (an exit code, a status, a second attempt), so nobody reads sentences to decide.

import GRDB

/// A failure of a store's file or disk.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure.
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// The file is not one of ours, or not a database.
    case foreign
    /// The file was written by a newer version.
    case newer
    /// The file cannot be opened or created.
    case unreadable
    /// The file is damaged.
    case damaged
    /// Another program has the file open and does not let go of it.
    case inUse
    /// The disk is full.
    case full
    /// The disk is read-only or failing.
    case disk
    /// Anything else: our own mistake.
    case unexpected

    /// Whether the same may succeed later without anybody touching the file.
    package var mayPass: Bool {
      switch self {
      case .inUse, .full, .disk: true
      case .foreign, .newer, .unreadable, .damaged, .unexpected: false
      }
    }
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
      self = (error as? StoreError) ?? StoreError(.unexpected, "\(path): \(Self.text(of: error))")
      return
    }
    let text = error.message ?? "error \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_NOTADB: self.init(.foreign, "\(path) is not a database; choose another file.")
    case .SQLITE_CORRUPT: self.init(.damaged, "The database \(path) is damaged: \(text).")
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      self.init(.unreadable, "The database \(path) cannot be opened: \(text).")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.inUse, "Another program has the database \(path) open: \(text).")
    case .SQLITE_FULL:
      self.init(.full, "The database \(path) cannot be written: the disk is full.")
    case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_NOMEM:
      self.init(.disk, "The database \(path) cannot be written: \(text).")
    default: self.init(.unexpected, "The database \(path) failed: \(text).")
    }
  }

  /// NB: a row that cannot be decoded describes itself with all that it holds, which no log may have.
  private static func text(of error: any Error) -> String {
    error is RowDecodingError ? "A row does not hold what it should." : "\(error)"
  }

  package var description: String { message }
}
