// What can be wrong with the file a device keeps. Each kind has its own exit code, so it is told
// apart here and not by reading sentences.

import GRDB

/// Why a device's database cannot be used.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds, by what a person can do about them.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The file is a database of another program.
    case foreignDatabase
    /// The file is not a database, or a broken one.
    case notADatabase
    /// A newer version of this program wrote the file.
    case newerSchema
    /// The file or its directory may not be read or written.
    case unreadable
    /// Another process has the database open.
    case inUse
    /// The disk is full.
    case full
    /// Reading or writing failed.
    case inputOutput
  }

  /// The kind.
  package let kind: Kind
  /// What is wrong, in one sentence.
  package let message: String

  /// An error of this kind.
  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  package var description: String { message }
}

extension StoreError {
  /// What a failure of SQLite means.
  init(_ error: DatabaseError) {
    let text = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      self.init(.notADatabase, "The file is not a database, or a damaged one (\(text)).")
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
      self.init(.unreadable, "The database may not be opened or written (\(text)).")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.inUse, "Another program has the database open (\(text)).")
    case .SQLITE_FULL: self.init(.full, "The disk is full.")
    default: self.init(.inputOutput, "The database cannot be read or written (\(text)).")
    }
  }
}

/// Runs `body` and tells whatever goes wrong as a `StoreError`.
func storing<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
  do {
    return try body()
  } catch let error as StoreError {
    throw error
  } catch let error as DatabaseError {
    throw StoreError(error)
  } catch {
    throw StoreError(.inputOutput, "The database cannot be used (\(error)).")
  }
}
