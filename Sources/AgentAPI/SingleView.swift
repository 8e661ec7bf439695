/// The response about one item: `schema`, then the properties of the item in the same object.
package struct SingleView<Item: Codable & Sendable>: Codable, Sendable {
  private enum CodingKeys: CodingKey {
    case schema
  }

  package var schema = 1
  /// The item.
  package var item: Item

  package init(_ item: Item) {
    self.item = item
  }

  package init(from decoder: any Decoder) throws {
    schema = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .schema)
    item = try Item(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try item.encode(to: encoder)
  }
}
