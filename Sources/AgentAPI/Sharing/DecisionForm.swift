/// The body that answers a request for access.
package struct DecisionForm: Codable, Hashable, Sendable {
  /// `approve`, `deny` or `block`.
  package var decision: String
  /// The permission of an approved account: `readOnly` or `readWrite`.
  package var permission: String?

  package init(decision: String, permission: String? = nil) {
    self.decision = decision
    self.permission = permission
  }
}
