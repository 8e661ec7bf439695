/// A page of posts, newest first.
package struct PostsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var posts: [PostItem]
  /// The cursor of the next page; `nil` at the end.
  package var next: String?

  package init(posts: [PostItem], next: String?) {
    self.posts = posts
    self.next = next
  }

  /// The key of the list, for joining pages without decoding them.
  package static let listKey = CodingKeys.posts.stringValue
}

extension AgentPath {
  /// The posts of the timeline.
  package static let posts = AgentPath("posts")

  /// A post.
  package static func post(_ id: String = anyID) -> AgentPath { AgentPath("posts", id) }

  /// The photo of a post.
  package static func postPhoto(_ id: String = anyID) -> AgentPath {
    AgentPath("posts", id, "photo")
  }

  /// The comments on a post.
  package static func postComments(_ id: String = anyID) -> AgentPath {
    AgentPath("posts", id, "comments")
  }

  /// Whether the account follows a post or its author.
  package static func follow(post id: String = anyID) -> AgentPath {
    AgentPath("posts", id, "follow")
  }
}

extension AgentQuery {
  /// The caption of a new post.
  package static let caption = "caption"
  /// The states of posts or comments to list, separated by commas.
  package static let state = "state"
  /// Whether a request is about the author of a post.
  package static let author = "author"
}
