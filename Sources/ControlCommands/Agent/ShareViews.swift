// What the agent's JSON says of shares, as far as verbs print it.

/// Somebody in a share.
struct ParticipantView: Decodable, Sendable {
  let name: String
  let role: String
  let permission: String
  let status: String
  /// Whether a device of theirs that is connected has everything; `nil` when none is.
  let upToDate: Bool?

  /// The columns of a list.
  var row: [String] {
    let news = upToDate.map { $0 ? "up to date" : "catching up" } ?? ""
    return [name, role, SharePermissionWord.shown(permission), status, news]
  }
}

/// Somebody who asks to be let in.
struct AccessRequestView: Decodable, Sendable {
  let name: String
  let asked: String
  let standing: String

  /// The columns of a list.
  var row: [String] { [name, standing, asked] }
}

/// A share.
struct ShareView: Decodable, Sendable {
  let title: String
  let anyone: String
  let link: String?
  let linkStanding: String?
  let linkExpires: String?
  let linkUsesLeft: Int?
  let linkIsElsewhere: Bool
  let participants: [ParticipantView]
  let requests: [AccessRequestView]
}

/// Who is in a share.
struct ParticipantsView: Decodable, Sendable {
  let participants: [ParticipantView]
}

/// Who asks to be let in.
struct AccessRequestsView: Decodable, Sendable {
  let requests: [AccessRequestView]
}

/// What a link leads to.
struct PreviewView: Decodable, Sendable {
  let id: String
  let title: String
  let owner: String
  /// What people call the owner; `nil` from an agent that did not tell it yet.
  let ownerDisplayName: String?
  let permission: String
  let contacts: Int
  let accepted: Bool

  /// In one line for people.
  var sentence: String {
    let count = contacts == 1 ? "1 contact" : "\(contacts) contacts"
    let access = permission == "readWrite" ? "read and write" : "read-only"
    return "“\(title)”, a group of \(ownerDisplayName ?? owner): \(count), \(access)."
  }
}

/// The words for permissions: the agent's in JSON, shorter ones for people.
enum SharePermissionWord {
  /// As people read it.
  static func shown(_ word: String) -> String {
    switch word {
    case "readOnly": "read"
    case "readWrite": "write"
    default: word
    }
  }
}

/// The body that makes or changes a share.
struct ShareBody: Encodable, Sendable {
  var anyone: String?
  var permission: String?
  var invite: [String]?
  var expiresSeconds: Int64?
  var uses: Int?
}

/// The body that changes somebody in a share.
struct ParticipantForm: Encodable, Sendable {
  var name: String?
  var permission: String?
  var administrator: Bool?
}

/// The body that answers a request.
struct DecisionForm: Encodable, Sendable {
  let decision: String
  let permission: String?
}

/// The body that names a link.
struct LinkBody: Encodable, Sendable {
  let link: String
}

/// The body that puts contacts into a group.
struct MoveForm: Encodable, Sendable {
  var contacts: [String]?
  var from: String?
}
