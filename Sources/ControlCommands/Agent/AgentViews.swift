// The parts of the agent's JSON that subcommands print. Unknown keys are ignored, because newer agents add
// some; `--json` prints the agent's own bytes.

import Contacts
import Records

/// A contact.
struct ContactView: Decodable, Sendable {
  struct Labeled: Decodable, Sendable {
    let id: String
    let label: String
    let value: String
  }

  struct Author: Decodable, Sendable {
    /// The account's name.
    let account: String
    let device: String
    /// The account's display name, if it is different.
    var name: String?

    /// The account's name for people.
    var shown: String { name ?? account }
  }

  var id = ""
  /// The contact's name, by the same rule as everywhere.
  var name = ""
  var firstName = ""
  var lastName = ""
  var company = ""
  var sortName = ""
  var sectionKey = ""
  var group = ""
  var phones: [Labeled] = []
  var emails: [Labeled] = []
  var created: String?
  var modified: String?
  var modifiedBy: Author?
  var synced = false

  /// The same, with the name that the printing code uses.
  var displayName: String { name }
}

/// A page of contacts.
struct ContactsView: Decodable, Sendable {
  let contacts: [ContactView]
  let next: String?
}

/// The status of the agent.
struct StatusView: Decodable, Sendable {
  let state: String
  let waitingEdits: Int
  let heldDeletions: Int
  let lastSync: String?
  let lastSyncAgeSeconds: Int64?
  let conflicts: Int
  let warnings: [String]
  /// The status of the account, as a word and as a sentence; `nil` from an older agent.
  let accountStatus: String?
  let accountSentence: String?
  /// The agent's version; `nil` from an older agent.
  let version: String?
  /// The broker's endpoint; `nil` from an older agent.
  let broker: String?
  /// Why the device is not connected; `nil` if it is, or if nothing is known yet.
  let connectionError: String?
}

/// A group.
struct GroupView: Decodable, Sendable {
  let id: String
  let title: String
  let role: String
  let writable: Bool
  let contacts: Int?
  /// The name of its owner's account.
  let owner: String?
  /// The owner's display name; `nil` from an older agent.
  let ownerDisplayName: String?
  /// Whether the group is shared with others, or belongs to another account.
  let shared: Bool?

  /// The owner's name for people.
  var ownerShown: String { ownerDisplayName ?? owner ?? "" }

  /// The heading of its contacts; for a group of another account it includes the owner.
  var heading: String {
    guard role != "owner", !ownerShown.isEmpty else { return title }
    return "\(title) (shared by \(ownerShown)\(writable ? "" : ", read-only"))"
  }

  /// The heading, with the id if another group of `groups` has the same heading.
  func heading(among groups: [GroupView]) -> String {
    groups.count(where: { $0.heading == heading }) > 1 ? "\(heading) (\(id))" : heading
  }
}

/// The groups.
struct GroupsView: Decodable, Sendable {
  let groups: [GroupView]
}

/// Two values of one field. The contact shows one of them.
struct ConflictView: Decodable, Sendable {
  let id: String
  let contact: String
  let name: String
  let kind: String
  let field: String
  let mine: String
  let theirs: String
  /// Who set each of the two; absent from an older agent.
  let mineBy: ContactView.Author?
  let theirsBy: ContactView.Author?
  /// Which of the two the contact shows: `mine` or `theirs`.
  let shown: String?

  /// The value that the contact shows.
  var shownValue: String { shown == "mine" ? mine : theirs }
  /// The other value.
  var otherValue: String { shown == "mine" ? theirs : mine }
}

/// The conflicts.
struct ConflictsView: Decodable, Sendable {
  let conflicts: [ConflictView]
}

/// The identity of the agent.
struct WhoamiView: Decodable, Sendable {
  struct Named: Decodable, Sendable {
    let id: String?
    let name: String
    /// The account's display name.
    let displayName: String?
  }

  let account: Named
  let device: Named
}

/// One change, as an event.
struct EventView: Decodable, Sendable {
  let seq: Int64
  let change: String
  let type: String
  let id: String
  let name: String
  let by: ContactView.Author
}

/// A setting of the device.
struct SettingView: Decodable, Sendable {
  let key: String
  let value: String
  let source: String
  let choices: [String]
  let meaning: String
}

/// The settings.
struct SettingsView: Decodable, Sendable {
  let settings: [SettingView]
}
