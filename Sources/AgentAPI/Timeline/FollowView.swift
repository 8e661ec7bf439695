/// Whether the account follows a post, and its author.
package struct FollowView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The id of the post.
  package var post: String
  package var following: Bool
  package var followingAuthor: Bool

  package init(post: String, following: Bool, followingAuthor: Bool) {
    self.post = post
    self.following = following
    self.followingAuthor = followingAuthor
  }
}
