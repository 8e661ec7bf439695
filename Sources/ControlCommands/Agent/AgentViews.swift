// What the agent's JSON holds, as far as verbs print it. Keys are only ever added there, so
// everything unknown is passed over; `--json` hands the agent's own bytes on.

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
    /// What people call the account, where that is another word.
    var name: String?

    /// The account as people call it.
    var shown: String { name ?? account }
  }

  var id = ""
  /// What the contact is called, by the one rule there is.
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

  /// The same under the name that printing has for it.
  var displayName: String { name }
}

/// A page of contacts.
struct ContactsView: Decodable, Sendable {
  let contacts: [ContactView]
  let next: String?
}

/// How the agent is.
struct StatusView: Decodable, Sendable {
  let state: String
  let waitingEdits: Int
  let heldDeletions: Int
  let lastSync: String?
  let lastSyncAgeSeconds: Int64?
  let conflicts: Int
  let warnings: [String]
  /// How the account stands, in a word and in a sentence; `nil` from an agent that did not tell yet.
  let accountStatus: String?
  let accountSentence: String?
  /// The agent's version; `nil` from one that did not tell it yet.
  let version: String?
  /// Where the broker is; `nil` from an agent that did not tell it yet.
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
  /// What people call its owner; `nil` from an agent that did not tell it yet.
  let ownerDisplayName: String?
  /// Whether others may see it, or it is another's.
  let shared: Bool?

  /// Its owner as people call it.
  var ownerShown: String { ownerDisplayName ?? owner ?? "" }

  /// What stands above its contacts: of another's group also whose it is.
  var heading: String {
    guard role != "owner", !ownerShown.isEmpty else { return title }
    return "\(title) (shared by \(ownerShown)\(writable ? "" : ", read-only"))"
  }

  /// The heading, with the id where it is not the only one of `groups`.
  func heading(among groups: [GroupView]) -> String {
    groups.count(where: { $0.heading == heading }) > 1 ? "\(heading) (\(id))" : heading
  }
}

/// The groups.
struct GroupsView: Decodable, Sendable {
  let groups: [GroupView]
}

/// Two values for one field, of which one is shown.
struct ConflictView: Decodable, Sendable {
  let id: String
  let contact: String
  let name: String
  let kind: String
  let field: String
  let mine: String
  let theirs: String
  /// Who set each of the two; absent where the agent is of an earlier release.
  let mineBy: ContactView.Author?
  let theirsBy: ContactView.Author?
  /// Which of the two is shown: `mine` or `theirs`.
  let shown: String?

  /// What the contact shows.
  var shownValue: String { shown == "mine" ? mine : theirs }
  /// The value that did not stay.
  var otherValue: String { shown == "mine" ? theirs : mine }
}

/// The conflicts.
struct ConflictsView: Decodable, Sendable {
  let conflicts: [ConflictView]
}

/// Who one is.
struct WhoamiView: Decodable, Sendable {
  struct Named: Decodable, Sendable {
    let id: String?
    let name: String
    /// What people call an account.
    let displayName: String?
  }

  let account: Named
  let device: Named
}

/// One change as it landed.
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
