/// Applies a rejected edit again.
package struct RetryForm: Codable, Hashable, Sendable {
  /// The group for a contact that is created again, by id or title; `nil` for the group that it was in.
  package var group: String?

  package init(group: String? = nil) {
    self.group = group
  }
}
