// The order of posts and comments (T3): by the timestamps that their devices set, and by record name if those
// are equal, so that every device shows the same order.

import Records

/// The orders of the timeline.
package enum TimelineOrder {
  /// Whether one post precedes another: newest first, then by name.
  package static func precedes(_ left: Post, _ right: Post) -> Bool {
    left.timestamp == right.timestamp ? left.id < right.id : left.timestamp > right.timestamp
  }

  /// Whether one comment precedes another: oldest first, then by name.
  package static func precedes(_ left: Comment, _ right: Comment) -> Bool {
    left.timestamp == right.timestamp ? left.id < right.id : left.timestamp < right.timestamp
  }

  /// Returns the time of a comment written at `now`. It is always after the post's own time, even if the
  /// clock is slow, so the caption stays the first comment.
  package static func commentTime(_ now: Timestamp, on post: Post) -> Timestamp {
    let next = Timestamp(microseconds: post.timestamp.microseconds &+ 1)
    return post.timestamp.microseconds < .max ? max(now, next) : now
  }
}
