// The agent's responses about the timeline, as subcommands print them.

import AgentAPI
import Records

extension PostItem {
  /// The columns of a list.
  var row: [String] {
    [id, timestamp.description, author, state, String(commentCount), caption ?? ""]
  }
}

extension CommentItem {
  /// The columns of a list.
  var row: [String] { [id, timestamp.description, author, state, text] }
}
