/// A failure of a store's file, disk or server. Callers choose an exit code, a status or a retry by its
/// kind, not by its message.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// The file is not a database, or belongs to another program.
    case foreign
    /// Another version of the program wrote the file.
    case otherVersion
    /// The file cannot be opened or created.
    case unreadable
    /// The file is damaged.
    case damaged
    /// Another program has locked the file.
    case inUse
    /// The database's server cannot be reached, or its connection was lost.
    case unreachable
    /// The disk is full.
    case full
    /// The disk is read-only or failing.
    case disk
    /// Any other failure, which is a bug.
    case unexpected

    /// Whether the operation can succeed later without a change to the file.
    package var isTemporary: Bool {
      switch self {
      case .inUse, .unreachable, .full, .disk: true
      case .foreign, .otherVersion, .unreadable, .damaged, .unexpected: false
      }
    }
  }

  /// The kind of failure.
  package let kind: Kind
  /// What happened, in one sentence.
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  package var description: String { message }
}
