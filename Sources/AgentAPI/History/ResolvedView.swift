/// A resolved conflict: the conflict as it was, and the choice.
package struct ResolvedView: Codable, Hashable, Sendable {
  private enum CodingKeys: CodingKey {
    case schema, resolved
  }

  package var schema = 1
  package var conflict: ConflictItem
  /// `mine`, `theirs` or `both`.
  package var resolved: String

  package init(conflict: ConflictItem, resolved: String) {
    self.conflict = conflict
    self.resolved = resolved
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    schema = try container.decode(Int.self, forKey: .schema)
    conflict = try ConflictItem(from: decoder)
    resolved = try container.decode(String.self, forKey: .resolved)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try conflict.encode(to: encoder)
    try container.encode(resolved, forKey: .resolved)
  }
}
