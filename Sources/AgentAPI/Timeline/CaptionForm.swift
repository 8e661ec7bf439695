/// The body that edits the caption of a post.
package struct CaptionForm: Codable, Hashable, Sendable {
  /// The new caption; a missing one is rejected like an empty one.
  package var caption: String?

  package init(caption: String?) {
    self.caption = caption
  }
}
