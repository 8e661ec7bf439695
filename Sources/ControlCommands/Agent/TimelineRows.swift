// The agent's responses about the timeline, as subcommands print them.

import AgentAPI
import Records

extension PostItem {
  /// The columns of a list.
  var row: [String] {
    [id, timestamp.description, authorName, state, String(commentCount), caption ?? ""]
  }
}

extension CommentItem {
  /// The line above the text on a terminal, which ends with the id that other commands take.
  func heading(shortID: String) -> String {
    let time = LocalTime.shown(timestamp.description)
    let unsent = state == "synced" ? "" : ", \(state)"
    let mark = edited ? " (edited)" : ""
    return PlainText.clean("\(authorName), \(time)\(unsent)\(mark)  \(shortID)")
  }

  /// The columns of a list.
  var row: [String] { [id, timestamp.description, authorName, state, text] }
}
