/// The badge that remains.
package struct SeenView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The number of unseen notifications that count in the badge.
  package var badge: Int

  package init(badge: Int) {
    self.badge = badge
  }
}
