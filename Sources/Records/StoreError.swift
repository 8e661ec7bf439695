/// A failure of a store's file or disk. Callers decide by its kind – an exit code, a status, another
/// attempt – and not by its message.
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
    /// Another program has the file open and keeps it locked.
    case inUse
    /// The disk is full.
    case full
    /// The disk is read-only or failing.
    case disk
    /// Anything else, which is a fault of the program.
    case unexpected

    /// Whether the operation can succeed later without a change to the file.
    package var mayPass: Bool {
      switch self {
      case .inUse, .full, .disk: true
      case .foreign, .newer, .unreadable, .damaged, .unexpected: false
      }
    }
  }

  /// What kind of failure.
  package let kind: Kind
  /// What happened, in one sentence.
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  package var description: String { message }
}
