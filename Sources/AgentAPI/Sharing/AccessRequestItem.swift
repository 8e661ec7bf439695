import Records

/// A request for access to a group.
package struct AccessRequestItem: Codable, Hashable, Sendable {
  /// The account's id.
  package var id: String
  /// The account's name.
  package var name: String
  /// The account's display name.
  package var displayName: String
  /// When the account asked last.
  package var asked: Timestamp
  /// `waiting`, `denied` or `blocked`.
  package var standing: String

  package init(id: String, name: String, displayName: String, asked: Timestamp, standing: String) {
    self.id = id
    self.name = name
    self.displayName = displayName
    self.asked = asked
    self.standing = standing
  }
}
