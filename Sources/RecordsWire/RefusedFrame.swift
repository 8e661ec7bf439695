// A frame that cannot be taken as it is. When its correlation number could still be read, only that
// frame is refused and the peer is told by an error frame; otherwise the stream itself is in doubt
// and ends with a goodbye.

import Records

/// Why a frame was refused.
package struct RefusedFrame: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number an answer must carry; `nil` when the frame could not be read at all, after which
  /// the connection is closed.
  package let id: UInt64?
  /// What is wrong with it.
  package let error: RecordsError

  /// Refuses the frame numbered `id`.
  package init(id: UInt64?, error: RecordsError) {
    self.id = id
    self.error = error
  }

  package var description: String { error.description }
}
