// Comment ⇄ record, here and nowhere else. A comment goes with its post (`deleteSelf`), whoever wrote
// it; the broker sees to that.

import Records

/// How a comment lies in a record.
package enum CommentRecord {
  /// The type of a comment's record.
  package static let type = RecordType(stored: "Comment")

  /// The key of what it says.
  package static let text: FieldKey = "text"
  /// The key of the moment by which comments are ordered.
  package static let timestamp: FieldKey = "timestamp"
  /// The key of the post it is about, a reference.
  package static let post: FieldKey = "post"

  /// The comment that `fields` describe; `nil` without a post, a text or a time, and for a text that is
  /// longer than any that can be said here: whoever looks at a post must be able to hold what others
  /// said.
  package static func comment(named id: RecordName, fields: Fields) -> Comment? {
    guard case .reference(let reference) = fields[post], case .string(let said) = fields[text],
      case .date(let time) = fields[timestamp], said.utf8.count <= CommentText.bytesMaximum
    else { return nil }
    return Comment(id: id, post: reference.record, text: said, timestamp: time)
  }

  /// The fields of `comment`.
  package static func fields(of comment: Comment) -> Fields {
    Fields([
      (text, .string(comment.text)), (timestamp, .date(comment.timestamp)),
      (post, .reference(Reference(record: comment.post, action: .deleteSelf))),
    ])
  }
}
