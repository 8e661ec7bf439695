import GRDB
import Records

extension StoreError {
  /// Converts an error of SQLite or GRDB about the file at `path`.
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

  /// NB: the description of a `RowDecodingError` contains the whole row, which must not be logged.
  private static func text(of error: any Error) -> String {
    error is RowDecodingError ? "A row cannot be decoded." : "\(error)"
  }
}
