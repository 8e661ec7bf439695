// A list of posts for people. The caption is what a reader looks for, so the other columns leave it the room: times
// have no seconds, and only posts that the broker does not have yet show their state.

import AgentAPI
import Records

/// Lists posts on a terminal.
enum PostList {
  /// The characters of a UUID that are its time, to the millisecond. An id that begins with the same ones names
  /// a post before a comment, so posts need no more of them.
  private static let charactersOfTime = 13

  /// Returns a line for each post, none wider than `limit` columns if possible: caption, author, time, comments,
  /// state and short id.
  static func lines(_ posts: [PostItem], limit: Int) -> [String] {
    let short = ShortIDs(posts.map(\.id), charactersOfUUID: charactersOfTime)
    let rows = posts.map { post in
      [
        post.caption ?? "", post.authorName,
        LocalTime.shownToTheMinute(post.timestamp.description), String(post.commentCount),
        post.synced ? "" : post.state, short[post.id],
      ].map(PlainText.clean)
    }
    return TextTable(rows, whole: [2, 5]).lines(limit: limit)
  }
}
