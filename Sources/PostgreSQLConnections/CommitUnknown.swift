/// The transaction may have been committed or not: its COMMIT was sent, and the server did not confirm that the change
/// is as durable as the server promises. The caller must look, on another connection, before it repeats the change.
package struct CommitUnknown: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the server reported instead, or how the connection ended.
  package let reason: PostgreSQLError

  package var description: String { "It is unknown whether a transaction was committed: \(reason)" }
}
