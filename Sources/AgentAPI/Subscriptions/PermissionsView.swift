/// The permissions of the user on this device.
package struct PermissionsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var permissions: [PermissionItem]

  package init(permissions: [PermissionItem]) {
    self.permissions = permissions
  }
}

/// A permission of the user.
package struct PermissionItem: Codable, Hashable, Sendable {
  /// `notifications` or `discoverability`.
  package var id: String
  /// `ask`, `allow` or `deny`.
  package var state: String

  package init(id: String, state: String) {
    self.id = id
    self.state = state
  }
}

extension AgentPath {
  /// The permissions.
  package static let permissions = AgentPath("permissions")

  /// A permission.
  package static func permission(_ id: String = anyID) -> AgentPath {
    AgentPath("permissions", id)
  }
}
