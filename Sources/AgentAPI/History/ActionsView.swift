import Records

/// The actions on this device, newest first.
package struct ActionsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var actions: [ActionItem]

  package init(actions: [ActionItem]) {
    self.actions = actions
  }
}

/// An action on this device.
package struct ActionItem: Codable, Hashable, Sendable {
  package var id: Int64
  /// `add`, `edit`, `delete` and others; see `ActionKind`.
  package var kind: String
  /// The name of the first contact or group that it changed.
  package var name: String
  /// The number of contacts and groups that it changed.
  package var count: Int
  package var time: Timestamp
  /// The number of the action that it undid.
  package var undoes: Int64?
  /// The number of the action that undid it.
  package var undoneBy: Int64?

  package init(
    id: Int64, kind: String, name: String, count: Int, time: Timestamp, undoes: Int64?,
    undoneBy: Int64?
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.count = count
    self.time = time
    self.undoes = undoes
    self.undoneBy = undoneBy
  }
}

extension AgentPath {
  /// The actions on this device.
  package static let actions = AgentPath("actions")
  /// The undoing of an action.
  package static let undo = AgentPath("undo")
}
