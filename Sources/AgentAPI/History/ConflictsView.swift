/// The conflicts.
package struct ConflictsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var conflicts: [ConflictItem]

  package init(conflicts: [ConflictItem]) {
    self.conflicts = conflicts
  }
}

extension AgentPath {
  /// The list of conflicts.
  package static let conflicts = AgentPath("conflicts")

  /// A conflict.
  package static func conflict(_ id: String = anyID) -> AgentPath { AgentPath("conflicts", id) }
}
