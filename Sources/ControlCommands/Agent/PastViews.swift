// The agent's JSON about the past: trash, history, undo, duplicates, rejected edits; and sentences about
// them.

/// A page of the trash.
struct TrashPageView: Decodable, Sendable {
  let trash: [DiscardedRow]
  let next: String?
}

/// A deleted contact.
struct DiscardedRow: Decodable, Sendable {
  let id: String
  let name: String
  let deleted: String
  let by: ContactView.Author
}

/// The result of emptying the trash.
struct ErasedView: Decodable, Sendable {
  let erased: Int
}

/// The action to undo.
struct UndoForm: Encodable, Sendable {
  let action: Int64?
}

/// An action on this device.
struct ActionRow: Decodable, Sendable {
  let id: Int64
  let kind: String
  let name: String
  let count: Int
  let time: String
  let undoneBy: Int64?

  /// The kind of action in words.
  var what: String {
    switch kind {
    case "add": "addition"
    case "edit": "change"
    case "delete": "deletion"
    case "restore": "restoration"
    case "resolve": "conflict resolution"
    case "addGroup": "group creation"
    case "renameGroup": "group renaming"
    case "deleteGroup": "group deletion"
    default: kind
    }
  }
}

/// The actions on this device.
struct ActionsView: Decodable, Sendable {
  let actions: [ActionRow]
}

/// The result of an undo.
struct UndoView: Decodable, Sendable {
  struct Thing: Decodable, Sendable {
    let type: String
    let id: String
    let name: String
  }

  struct Left: Decodable, Sendable {
    let type: String
    let id: String
    let name: String
    let field: String?
    let entry: String?
    let reason: String

    /// What was not undone, and why.
    var sentence: String {
      let place = [field, entry].compactMap(\.self).joined(separator: "/")
      let what = place.isEmpty ? name : "\(place) of \(name)"
      let why =
        switch reason {
        case "changedSince": "it has changed since"
        case "deletedSince": "it has been deleted since"
        case "thereAgain": "it exists again"
        case "erased": "the trash was emptied"
        case "groupGone": "its group no longer exists here"
        case "groupInUse": "it contains other contacts now"
        default: reason
        }
      return "Not undone: \(what) (\(id)): \(why)."
    }
  }

  let action: Int64?
  let undone: ActionRow
  let setBack: [Thing]
  let leftAlone: [Left]
}

/// The history of a contact.
struct HistoryView: Decodable, Sendable {
  struct Difference: Decodable, Sendable {
    let field: String
    let before: String?
    let after: String?
  }

  struct Step: Decodable, Sendable {
    let change: String
    let time: String
    let by: ContactView.Author
    let synced: Bool
    let fields: [Difference]
  }

  let complete: Bool
  let history: [Step]
}

/// Rejected edits.
struct RefusedView: Decodable, Sendable {
  struct Field: Decodable, Sendable {
    let field: String
    let after: String
  }

  struct Edit: Decodable, Sendable {
    let id: String
    let contact: String?
    let group: String
    let name: String
    let change: String
    let message: String
    let time: String
    let fields: [Field]
    let removed: [String]

    /// The edit in columns.
    var row: [String] {
      let typed = fields.map { "\($0.field)=\($0.after)" } + removed.map { "\($0)=" }
      let what = change == "deleted" ? "deletion" : typed.joined(separator: "; ")
      return [id, time, contact ?? group, name, message, what]
    }
  }

  let refused: [Edit]
}

/// Probable duplicates.
struct DuplicatesView: Decodable, Sendable {
  struct Contact: Decodable, Sendable {
    let id: String
    let name: String
  }

  struct Reason: Decodable, Sendable {
    let fact: String
    let value: String

    /// The reason in words.
    var sentence: String { "same \(fact) \(value)" }
  }

  struct Pair: Decodable, Sendable {
    let contacts: [Contact]
    let reasons: [Reason]
  }

  let duplicates: [Pair]
}

/// The contact to merge with.
struct MergeForm: Encodable, Sendable {
  let with: String
}

/// The result of a merge.
struct MergedView: Decodable, Sendable {
  struct Moved: Decodable, Sendable {
    let field: String
    let kept: String
    let other: String
    let to: String

    /// Which value remained, and where the other one moved.
    var sentence: String { "\(field): kept “\(kept)”; moved “\(other)” to \(to)." }
  }

  let id: String
  let moved: [Moved]
}
