/// The newest comments of the timeline.
package struct CommentsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var comments: [CommentItem]

  package init(comments: [CommentItem]) {
    self.comments = comments
  }
}

extension AgentPath {
  /// The comments on all posts.
  package static let comments = AgentPath("comments")

  /// A comment.
  package static func comment(_ id: String = anyID) -> AgentPath { AgentPath("comments", id) }
}
