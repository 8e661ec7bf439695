import Records

/// A segment of a zone's live feed: whole commits, encoded once for all subscribers. It never changes,
/// because appending to bytes that a slow subscriber still holds would copy them.
package struct FeedSegment: Hashable, Sendable {
  /// The revision that a subscriber must have before the segment.
  package let from: Revision
  /// The revision that a subscriber has after the segment.
  package let to: Revision
  /// The frame with its length prefix, as it is written to the socket.
  package let frame: [UInt8]

  package init(from: Revision, to: Revision, frame: [UInt8]) {
    self.from = from
    self.to = to
    self.frame = frame
  }
}
