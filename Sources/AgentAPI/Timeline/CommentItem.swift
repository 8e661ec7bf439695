import Records

/// A comment on a post.
package struct CommentItem: Codable, Hashable, Sendable {
  package var id: String
  /// The id of the post.
  package var post: String
  package var text: String
  /// The time by the author's device.
  package var timestamp: Timestamp
  /// The author's account name if it is known, otherwise its id.
  package var author: String
  /// The author's name for people, “someone” if it is unknown.
  package var authorName: String
  /// Whether this account is the author.
  package var own: Bool
  /// `unsynced`, `syncing` or `synced`.
  package var state: String
  package var synced: Bool
  /// Whether the author changed the text after the broker had it.
  @Sparse package var edited: Bool

  package init(
    id: String, post: String, text: String, timestamp: Timestamp, author: String,
    authorName: String, own: Bool, state: String, synced: Bool, edited: Bool = false
  ) {
    self.id = id
    self.post = post
    self.text = text
    self.timestamp = timestamp
    self.author = author
    self.authorName = authorName
    self.own = own
    self.state = state
    self.synced = synced
    self.edited = edited
  }
}
