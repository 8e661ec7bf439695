// A photo that somebody shows to everybody, and what people say about it. A post has no caption of
// its own: the caption is its first comment, which is why both are made in one step.

import Records

/// A photo with the moment it was posted.
package struct Post: Hashable, Sendable {
  /// The post's record.
  package let id: RecordName
  /// The picture.
  package var photo: Asset
  /// What the picture is: `image/jpeg`.
  package var mediaType: String
  /// Its width in pixels; 0 where nobody said.
  package var width: Int
  /// Its height in pixels; 0 where nobody said.
  package var height: Int
  /// When it was posted, by the clock of the device it was posted on. Orders the list, nothing else.
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

  /// What lists of changes call it.
  package var title: String { width > 0 ? "Photo \(width) × \(height)" : "Photo" }
}

/// What somebody says about a post.
package struct Comment: Hashable, Sendable {
  /// The comment's record.
  package let id: RecordName
  /// The post it is about.
  package var post: RecordName
  /// What it says.
  package var text: String
  /// When it was said, by the clock of the device it was said on.
  package var timestamp: Timestamp

  /// A comment.
  package init(id: RecordName, post: RecordName, text: String, timestamp: Timestamp) {
    self.id = id
    self.post = post
    self.text = text
    self.timestamp = timestamp
  }
}
