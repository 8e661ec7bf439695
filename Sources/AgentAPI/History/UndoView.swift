/// The result of an undo.
package struct UndoView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The number of the undo itself, which can be undone too; `nil` if nothing changed.
  package var action: Int64?
  /// The action that was undone.
  package var undone: ActionItem
  package var setBack: [Thing]
  package var leftAlone: [Left]

  package init(action: Int64?, undone: ActionItem, setBack: [Thing], leftAlone: [Left]) {
    self.action = action
    self.undone = undone
    self.setBack = setBack
    self.leftAlone = leftAlone
  }

  /// A contact or group that was set back.
  package struct Thing: Codable, Hashable, Sendable {
    /// `contact` or `group`.
    package var type: String
    package var id: String
    package var name: String

    package init(type: String, id: String, name: String) {
      self.type = type
      self.id = id
      self.name = name
    }
  }

  /// A value that was not set back.
  package struct Left: Codable, Hashable, Sendable {
    /// `contact` or `group`.
    package var type: String
    package var id: String
    package var name: String
    /// The field, if only one was not set back.
    package var field: String?
    /// The entry of the field, if only one was not set back.
    package var entry: String?
    /// Why: `changedSince`, `deletedSince`, `thereAgain`, `erased`, `groupGone` or `groupInUse`.
    package var reason: String

    /// Creates a reason for something that an action changed.
    package init(thing: Thing, field: String?, entry: String?, reason: String) {
      type = thing.type
      id = thing.id
      name = thing.name
      self.field = field
      self.entry = entry
      self.reason = reason
    }
  }
}
