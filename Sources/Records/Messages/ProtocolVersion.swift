// A broker serves protocol N and N − 1; a device that is older reads what it has, queues its edits
// and says so.

/// The versions of the protocol that this program speaks.
package enum ProtocolVersion {
  /// The newest.
  package static let newest = 1
  /// The oldest a peer may speak.
  package static let oldest = 1
}
