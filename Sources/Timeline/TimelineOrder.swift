// In which order posts and comments stand (T3): by their own timestamps, which their devices set. Two
// of the same moment stand by the names of their records, so that every device shows one order.

import Records

/// The orders of the timeline.
package enum TimelineOrder {
  /// Whether one post stands before another: newest first, then by name.
  package static func precedes(_ left: Post, _ right: Post) -> Bool {
    left.timestamp == right.timestamp ? left.id < right.id : left.timestamp > right.timestamp
  }

  /// Whether one comment stands before another: oldest first, then by name.
  package static func precedes(_ left: Comment, _ right: Comment) -> Bool {
    left.timestamp == right.timestamp ? left.id < right.id : left.timestamp < right.timestamp
  }

  /// When something is said at `now` about a post. Never at the post's own moment or before, which
  /// a clock that is behind would make it: the caption stays the first comment.
  package static func commentTime(_ now: Timestamp, on post: Post) -> Timestamp {
    let next = Timestamp(microseconds: post.timestamp.microseconds &+ 1)
    return post.timestamp.microseconds < .max ? max(now, next) : now
  }
}
