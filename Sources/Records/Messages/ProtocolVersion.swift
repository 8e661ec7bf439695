/// The protocol versions that this program supports. A broker serves version N and N − 1. An older
/// device displays its local data, queues edits and reports the mismatch.
package enum ProtocolVersion {
  /// The newest supported version.
  package static let newest = 1
  /// The oldest version that a peer may use.
  package static let oldest = 1
}
