/// The body that marks notifications as seen.
package struct SeenForm: Codable, Hashable, Sendable {
  /// The number of the last notification to mark; `nil` for all.
  package var through: Int64?

  package init(through: Int64? = nil) {
    self.through = through
  }
}
