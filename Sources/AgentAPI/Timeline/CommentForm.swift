/// The body that adds or edits a comment.
package struct CommentForm: Codable, Hashable, Sendable {
  /// The text; a missing one is rejected like an empty one.
  package var text: String?

  package init(text: String?) {
    self.text = text
  }
}
