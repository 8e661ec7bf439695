// Conversion between posts and records; no other file does this. A record without a photo is not a post;
// other fields of an unexpected kind are ignored.

import Records

/// The record of a post.
package enum PostRecord {
  /// The record type.
  package static let type = RecordType(stored: "Post")

  /// The key of the picture, an asset.
  package static let photo: FieldKey = "photo"
  /// The key of the time by which posts are ordered.
  package static let timestamp: FieldKey = "timestamp"
  private static let mediaType: FieldKey = "mediaType"
  /// RFC 6838, 4.2: neither half has more than 127 characters.
  private static let mediaTypeBytesMaximum = 255
  private static let width: FieldKey = "width"
  private static let height: FieldKey = "height"

  /// Returns the post that `fields` describe; `nil` without a photo or a time.
  package static func post(named id: RecordName, fields: Fields) -> Post? {
    guard case .asset(let photo) = fields[photo], case .date(let time) = fields[timestamp] else {
      return nil
    }
    return Post(
      id: id, photo: photo, mediaType: text(fields[mediaType]), width: pixels(fields[width]),
      height: pixels(fields[height]), timestamp: time)
  }

  /// Returns the fields of `post`.
  package static func fields(of post: Post) -> Fields {
    Fields([
      (photo, .asset(post.photo)), (mediaType, .string(post.mediaType)),
      (width, .int64(Int64(post.width))), (height, .int64(Int64(post.height))),
      (timestamp, .date(post.timestamp)),
    ])
  }

  private static func text(_ value: Value?) -> String {
    guard case .string(let text) = value, text.utf8.count <= mediaTypeBytesMaximum else {
      return ""
    }
    return text
  }

  private static func pixels(_ value: Value?) -> Int {
    guard case .int64(let number) = value, number > 0 else { return 0 }
    return Int(clamping: number)
  }
}
