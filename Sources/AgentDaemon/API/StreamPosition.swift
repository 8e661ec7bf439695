import NIOCore

/// Where a subscriber is in the events of one log.
struct StreamPosition: Sendable {
  /// Writes the ids of the log.
  var ids: EventID
  /// The number of the last event that the subscriber has.
  var last: Int64
  private let reset: EventPosition.Reset?

  /// Creates the position at which a stream starts; `ids` writes the ids of the log.
  init(_ start: EventPosition, ids: EventID) {
    self.ids = ids
    (last, reset) = (start.last, start.reset)
  }

  /// Whether the subscriber has to read everything again.
  var isReset: Bool { reset != nil }

  /// The start of the stream: the id at which it begins, and whether the subscriber has to read everything
  /// again.
  var beginning: ByteBuffer {
    guard let reset else { return ids.beginning(at: last) }
    return ids.reset(through: last, reason: reset.rawValue)
  }
}
