/// The photo of a post.
package struct PostPhotoItem: Codable, Hashable, Sendable {
  /// The media type.
  package var type: String
  /// The width in pixels; 0 if unknown.
  package var width: Int
  /// The height in pixels; 0 if unknown.
  package var height: Int
  package var bytes: Int
  /// The SHA-256.
  package var digest: String
  /// Whether it is on this device.
  package var here: Bool
  /// The path of the file, for programs of the same user; only in the response about a single post.
  @Sparse package var path: String?

  package init(
    type: String, width: Int, height: Int, bytes: Int, digest: String, here: Bool,
    path: String? = nil
  ) {
    self.type = type
    self.width = width
    self.height = height
    self.bytes = bytes
    self.digest = digest
    self.here = here
    self.path = path
  }
}
