import Records

/// A post of the timeline.
package struct PostItem: Codable, Hashable, Sendable {
  package var id: String
  /// The first comment; `nil` until it is on this device.
  package var caption: String?
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
  package var photo: PostPhotoItem
  /// The number of comments, including the caption.
  package var commentCount: Int

  package init(
    id: String, caption: String?, timestamp: Timestamp, author: String, authorName: String,
    own: Bool, state: String, synced: Bool, photo: PostPhotoItem, commentCount: Int
  ) {
    self.id = id
    self.caption = caption
    self.timestamp = timestamp
    self.author = author
    self.authorName = authorName
    self.own = own
    self.state = state
    self.synced = synced
    self.photo = photo
    self.commentCount = commentCount
  }
}
