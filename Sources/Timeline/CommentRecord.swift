// Conversion between comments and records; no other file does this. Deleting a post deletes its comments too,
// regardless of their authors: the broker does this, because their references have the action `deleteSelf`.

import Records

/// The record of a comment.
package enum CommentRecord {
  /// The record type.
  package static let type = RecordType(stored: "Comment")

  /// The key of the text.
  package static let text: FieldKey = "text"
  /// The key of the time by which comments are ordered.
  package static let timestamp: FieldKey = "timestamp"
  /// The key of the post, a reference.
  package static let post: FieldKey = "post"

  /// Returns the comment that `fields` describe; `nil` without a post, a text or a time. A text beyond the
  /// size limit is ignored too, so that other accounts cannot exhaust the memory of a reader.
  package static func comment(named id: RecordName, fields: Fields) -> Comment? {
    guard case .reference(let reference) = fields[post], case .string(let said) = fields[text],
      case .date(let time) = fields[timestamp], said.utf8.count <= CommentText.bytesMaximum
    else { return nil }
    return Comment(id: id, post: reference.record, text: said, timestamp: time)
  }

  /// Returns the fields of `comment`.
  package static func fields(of comment: Comment) -> Fields {
    Fields([
      (text, .string(comment.text)), (timestamp, .date(comment.timestamp)),
      (post, .reference(Reference(record: comment.post, action: .deleteSelf))),
    ])
  }
}
