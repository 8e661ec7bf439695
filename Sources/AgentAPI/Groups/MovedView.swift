/// The result of a move.
package struct MovedView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The group that the contacts are in now.
  package var group: String
  /// The number of contacts that were in another group.
  package var moved: Int

  package init(group: String, moved: Int) {
    self.group = group
    self.moved = moved
  }
}
