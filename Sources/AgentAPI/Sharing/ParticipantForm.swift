/// The body that changes a participant; `nil` leaves a property unchanged.
package struct ParticipantForm: Codable, Hashable, Sendable {
  /// `readOnly` or `readWrite`.
  package var permission: String?
  package var administrator: Bool?

  package init(permission: String? = nil, administrator: Bool? = nil) {
    self.permission = permission
    self.administrator = administrator
  }
}
