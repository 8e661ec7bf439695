import Records

/// An error for a frame that cannot be accepted. If the frame's id could be decoded, only that
/// frame is rejected, with an error frame. Otherwise the rest of the stream cannot be trusted, and
/// the connection ends with a goodbye.
package struct RefusedFrame: Error, Hashable, Sendable, CustomStringConvertible {
  /// The id for the error frame; `nil` if it could not be decoded, after which the connection is
  /// closed.
  package let id: UInt64?
  /// The reason.
  package let error: RecordsError

  package init(id: UInt64?, error: RecordsError) {
    self.id = id
    self.error = error
  }

  package var description: String { error.description }
}
