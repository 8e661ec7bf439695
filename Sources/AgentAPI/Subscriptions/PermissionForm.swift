/// The body that sets a permission.
package struct PermissionForm: Codable, Hashable, Sendable {
  /// `allow` or `deny`.
  package var state: String

  package init(state: String) {
    self.state = state
  }
}
