// A piece of a zone's live feed, encoded once for all its readers and never changed afterwards: an
// append to bytes that a slow reader still holds would copy them.

import Records

/// A sealed piece of a zone's live feed: whole commits, encoded.
package struct FeedSegment: Hashable, Sendable {
  /// A reader must have read up to exactly here.
  package let from: Revision
  /// Afterwards it has read up to here.
  package let to: Revision
  /// The frame, length first, as it goes into the socket.
  package let frame: [UInt8]

  /// Seals a piece.
  package init(from: Revision, to: Revision, frame: [UInt8]) {
    self.from = from
    self.to = to
    self.frame = frame
  }
}
