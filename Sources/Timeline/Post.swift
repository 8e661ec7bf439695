// A photo that an account publishes to all accounts of the broker, and the comments on it. A post has no
// caption of its own: the first comment is its caption, so both are created in one step.

import Records

/// A photo and the time it was posted.
package struct Post: Hashable, Sendable {
  /// The post's record.
  package let id: RecordName
  /// The picture.
  package var photo: Asset
  /// The media type of the picture: `image/jpeg`.
  package var mediaType: String
  /// Its width in pixels; 0 if unknown.
  package var width: Int
  /// Its height in pixels; 0 if unknown.
  package var height: Int
  /// The time of posting, by the clock of the device that posted. It determines the order of the list and
  /// nothing else.
  package var timestamp: Timestamp

  /// A post.
  package init(
    id: RecordName, photo: Asset, mediaType: String, width: Int, height: Int, timestamp: Timestamp
  ) {
    self.id = id
    self.photo = photo
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.timestamp = timestamp
  }

  /// The title of the post in lists of changes.
  package var title: String { width > 0 ? "Photo \(width) × \(height)" : "Photo" }
}

/// A comment on a post.
package struct Comment: Hashable, Sendable {
  /// The comment's record.
  package let id: RecordName
  /// The post that it belongs to.
  package var post: RecordName
  /// The text.
  package var text: String
  /// The time of writing, by the clock of the author's device.
  package var timestamp: Timestamp

  /// A comment.
  package init(id: RecordName, post: RecordName, text: String, timestamp: Timestamp) {
    self.id = id
    self.post = post
    self.text = text
    self.timestamp = timestamp
  }
}
