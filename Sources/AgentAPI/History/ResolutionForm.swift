/// The body that resolves a conflict.
package struct ResolutionForm: Codable, Hashable, Sendable {
  /// `mine`, `theirs` or `both`.
  package var keep: String

  package init(keep: String) {
    self.keep = keep
  }
}
