/// A property of a card that has no equivalent in a contact.
package struct OtherItem: Codable, Hashable, Sendable {
  package var id = ""
  /// The group that connects it with other properties of its card.
  @Sparse package var group = ""
  package var name = ""
  /// The parameters in the card's syntax.
  @Sparse package var parameters = ""
  package var value = ""
  /// The contact's property of which this is the more exact original.
  @Sparse package var restates = ""
  /// The decoded base-64 value; `value` is empty then.
  @Sparse package var content: MediaItem? = nil

  /// Creates an empty property.
  package init() {}
}

extension OtherItem {
  static let contentKey = CodingKeys.content.stringValue
}
