import Records

/// The rejected edits.
package struct RefusedView: Codable, Hashable, Sendable {
  package var schema = 1
  package var refused: [Edit]

  package init(refused: [Edit]) {
    self.refused = refused
  }

  /// A rejected edit.
  package struct Edit: Codable, Hashable, Sendable {
    package var id: String
    /// `contact` or `group`.
    package var type: String
    /// The id of the contact; `nil` for an edit of a group.
    package var contact: String?
    /// The id of the group.
    package var group: String
    package var name: String
    /// `updated` or `deleted`.
    package var change: String
    /// The code of the error.
    package var code: String
    /// Why the broker rejected the edit.
    package var message: String
    package var time: Timestamp
    /// What was entered.
    package var fields: [Field]
    /// The fields that were removed.
    package var removed: [String]

    package init(
      id: String, type: String, contact: String?, group: String, name: String, change: String,
      code: String, message: String, time: Timestamp, fields: [Field], removed: [String]
    ) {
      self.id = id
      self.type = type
      self.contact = contact
      self.group = group
      self.name = name
      self.change = change
      self.code = code
      self.message = message
      self.time = time
      self.fields = fields
      self.removed = removed
    }
  }

  /// A field that was set.
  package struct Field: Codable, Hashable, Sendable {
    package var field: String
    /// The value that was entered.
    package var after: String

    package init(field: String, after: String) {
      self.field = field
      self.after = after
    }
  }
}

extension AgentPath {
  /// The list of rejected edits.
  package static let refused = AgentPath("refused")

  /// A rejected edit.
  package static func refusedEdit(_ id: String = anyID) -> AgentPath { AgentPath("refused", id) }
}
