// One step of a person: one record changed, or a hundred thousand imported. It has a number, by which all of it
// can be undone.

import Records
import SyncCore

/// What kind of thing a person did; it is only ever shown.
package enum ActionKind: String, Hashable, Sendable, CaseIterable {
  case add, edit, delete, move, restore, merge, resolve, undo
  /// Cards of a file.
  case `import`
  case addGroup, renameGroup, deleteGroup
  /// Several things at once.
  case several
}

/// One step for a person, of which the edits at hand are all or a part.
package struct UserAction: Hashable, Sendable {
  /// What it is; `nil` leaves it to the edits.
  package var kind: ActionKind?
  /// The number of the action that the edits go on with; `nil` begins a new one.
  package var continuing: Int64?
  /// The number of the action that it takes back.
  var undoes: Int64?

  /// A step.
  package init(_ kind: ActionKind? = nil, continuing: Int64? = nil) {
    self.kind = kind
    self.continuing = continuing
  }
}

/// Something a person did on this device.
package struct ActionView: Hashable, Sendable {
  /// Its number.
  package let id: Int64
  /// What it was.
  package let kind: ActionKind
  /// What people call the first thing it was about.
  package let title: String
  /// How many records and groups it touched.
  package let edits: Int
  /// When, by this device's clock.
  package let time: Timestamp
  /// The action it took back, for one that is an undo.
  package let undoes: Int64?
  /// The action that took it back.
  package let undoneBy: Int64?
}

/// What an undo came to.
package struct UndoReport: Hashable, Sendable {
  /// One record or group.
  package struct Thing: Hashable, Sendable {
    /// Its zone; that of a group made anew is another than before.
    package let zone: ZoneID
    /// The record; `nil` for the group itself.
    package let name: RecordName?
    /// What people call it.
    package let title: String
  }

  /// The action that was to be taken back.
  package let undone: ActionView
  /// The number of the undo itself, which can be undone too; `nil` when nothing changed.
  package internal(set) var action: Int64?
  /// What shows something else now.
  package let setBack: [Thing]
  /// What stays as it is, and why.
  package let leftAlone: [Left]

  /// Something that stays.
  package struct Left: Hashable, Sendable {
    /// Of what.
    package let thing: Thing
    /// The field, if it is one, and the reason.
    package let what: Undo.LeftAlone
  }
}
