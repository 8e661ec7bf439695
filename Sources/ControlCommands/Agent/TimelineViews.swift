// The agent's JSON about the timeline, as far as subcommands print it.

/// A post.
struct PostView: Decodable, Sendable {
  /// Its picture.
  struct Photo: Decodable, Sendable {
    let type: String
    let width: Int
    let height: Int
    let bytes: Int
    let here: Bool
    let path: String?
  }

  let id: String
  let caption: String?
  let timestamp: String
  let author: String
  let own: Bool
  let state: String
  let photo: Photo
  let commentCount: Int
  let comments: [CommentView]?

  /// The columns of a list.
  var row: [String] { [id, timestamp, author, state, String(commentCount), caption ?? ""] }
}

/// A page of posts.
struct PostsView: Decodable, Sendable {
  let posts: [PostView]
}

/// A comment.
struct CommentView: Decodable, Sendable {
  let id: String
  let post: String
  let text: String
  let timestamp: String
  let author: String
  let own: Bool
  let state: String

  /// The columns of a list.
  var row: [String] { [id, timestamp, author, state, text] }
}

/// Comments.
struct CommentsView: Decodable, Sendable {
  let comments: [CommentView]
}

/// The body that adds a comment.
struct CommentForm: Encodable, Sendable {
  let text: String
}

/// Whether the account follows a post, or its author.
struct FollowView: Decodable, Sendable {
  let post: String
  let following: Bool
  let followingAuthor: Bool
}
