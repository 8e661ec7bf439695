// What can be wrong with the file a device keeps. Each kind has its own exit code, so it is told
// apart here and not by reading sentences.

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
