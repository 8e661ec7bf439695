/// The body of a merge.
package struct MergeForm: Codable, Hashable, Sendable {
  /// The contact to merge and delete.
  package var with: String

  package init(with: String) {
    self.with = with
  }
}
