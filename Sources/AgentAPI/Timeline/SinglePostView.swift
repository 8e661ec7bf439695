/// A post with a page of its comments.
package struct SinglePostView: Hashable, Sendable {
  enum CodingKeys: CodingKey {
    case schema, comments, fetchedBytes, next
  }

  package var schema = 1
  /// The post, whose properties are in the same object.
  package var post: PostItem
  /// The comments, oldest first.
  package var comments: [CommentItem]
  /// The bytes of the photo on this device; `nil` if the photo is not being fetched.
  package var fetchedBytes: Int64?
  /// The cursor of the next page of comments; `nil` at the end.
  package var next: String?

  package init(post: PostItem, comments: [CommentItem], fetchedBytes: Int64?, next: String?) {
    self.post = post
    self.comments = comments
    self.fetchedBytes = fetchedBytes
    self.next = next
  }

  /// The key of the list, for joining pages without decoding them.
  package static let listKey = CodingKeys.comments.stringValue
}

extension SinglePostView: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    schema = try container.decode(Int.self, forKey: .schema)
    post = try PostItem(from: decoder)
    comments = try container.decodeIfPresent([CommentItem].self, forKey: .comments) ?? []
    fetchedBytes = try container.decodeIfPresent(Int64.self, forKey: .fetchedBytes)
    next = try container.decodeIfPresent(String.self, forKey: .next)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try post.encode(to: encoder)
    try container.encode(comments, forKey: .comments)
    try container.encodeIfPresent(fetchedBytes, forKey: .fetchedBytes)
    try container.encodeIfPresent(next, forKey: .next)
  }
}
