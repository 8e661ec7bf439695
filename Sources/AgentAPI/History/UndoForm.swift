/// The body of an undo.
package struct UndoForm: Codable, Hashable, Sendable {
  /// The action; `nil` for the newest.
  package var action: Int64?

  package init(action: Int64?) {
    self.action = action
  }
}
