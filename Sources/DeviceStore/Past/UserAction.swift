// An action of the user: one changed record, or a hundred thousand imported ones. It has a number, by which all of it
// can be undone.

import Records
import SyncCore

/// The kind of an action, for display only.
package enum ActionKind: String, Hashable, Sendable, CaseIterable {
  case add, edit, delete, move, restore, merge, resolve, undo
  /// Imported the cards of a file.
  case `import`
  case addGroup, renameGroup, deleteGroup
  /// Made several kinds of edits.
  case several
}

/// The action that edits belong to.
package struct UserAction: Hashable, Sendable {
  /// The kind; `nil` to derive it from the edits.
  package var kind: ActionKind?
  /// The number of the action that the edits continue; `nil` begins a new one.
  package var continuing: Int64?
  /// The number of the action that this one undoes.
  var undoes: Int64?

  package init(_ kind: ActionKind? = nil, continuing: Int64? = nil) {
    self.kind = kind
    self.continuing = continuing
  }
}

/// An action that the user performed on this device.
package struct ActionView: Hashable, Sendable {
  /// The number.
  package let id: Int64
  /// The kind.
  package let kind: ActionKind
  /// The title of the first record or group that it changed.
  package let title: String
  /// The number of records and groups that it changed.
  package let edits: Int
  /// The time, by this device's clock.
  package let time: Timestamp
  /// The number of the action that it undid; `nil` if it is not an undo.
  package let undoes: Int64?
  /// The number of the action that undid it.
  package let undoneBy: Int64?
}

/// The result of an undo.
package struct UndoReport: Hashable, Sendable {
  /// A record or group.
  package struct Thing: Hashable, Sendable {
    /// Its zone. A group that was created again has a new id.
    package let zone: ZoneID
    /// The record; `nil` for the group itself.
    package let name: RecordName?
    /// The title.
    package let title: String
  }

  /// The action that was undone.
  package let undone: ActionView
  /// The number of the undo itself, which can be undone too; `nil` if nothing changed.
  package internal(set) var action: Int64?
  /// The records and groups that changed.
  package let setBack: [Thing]
  /// The values that were not restored, with the reasons.
  package let leftAlone: [Left]

  /// A value that was not restored.
  package struct Left: Hashable, Sendable {
    /// The record or group.
    package let thing: Thing
    /// The field, if only one was not restored, and the reason.
    package let what: Undo.LeftAlone
  }
}
