// The agent's responses about the timeline, as subcommands print them.

import AgentAPI
import Records

extension PostItem {
  /// The author's name for people.
  var authorShown: String { authorName ?? author }

  /// The columns of a list.
  var row: [String] {
    [id, timestamp.description, authorShown, state, String(commentCount), caption ?? ""]
  }
}

extension CommentItem {
  /// The author's name for people.
  var authorShown: String { authorName ?? author }

  /// The columns of a list.
  var row: [String] { [id, timestamp.description, authorShown, state, text] }
}
