/// A participant of a share.
package struct ParticipantItem: Codable, Hashable, Sendable {
  /// The account's id.
  package var id: String
  /// The account's name.
  package var name: String
  /// The account's display name.
  package var displayName: String
  /// `owner`, `administrator` or `member`.
  package var role: String
  /// `none`, `readOnly` or `readWrite`.
  package var permission: String
  /// `invited`, `accepted`, `removed` or `left`.
  package var status: String
  /// Whether a connected device of the participant has all changes; `nil` if none is connected.
  package var upToDate: Bool?

  package init(
    id: String, name: String, displayName: String, role: String, permission: String,
    status: String, upToDate: Bool?
  ) {
    self.id = id
    self.name = name
    self.displayName = displayName
    self.role = role
    self.permission = permission
    self.status = status
    self.upToDate = upToDate
  }
}
