// The agent's JSON about shares, as far as subcommands print it.

/// A participant of a share.
struct ParticipantView: Decodable, Sendable {
  let name: String
  let role: String
  let permission: String
  let status: String
  /// Whether a connected device of the participant has all changes; `nil` if none is connected.
  let upToDate: Bool?

  /// The columns of a list.
  var row: [String] {
    let news = upToDate.map { $0 ? "up to date" : "catching up" } ?? ""
    return [name, role, SharePermissionWord.shown(permission), status, news]
  }
}

/// A request for access.
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

/// The participants of a share.
struct ParticipantsView: Decodable, Sendable {
  let participants: [ParticipantView]
}

/// The requests for access.
struct AccessRequestsView: Decodable, Sendable {
  let requests: [AccessRequestView]
}

/// The preview of a link.
struct PreviewView: Decodable, Sendable {
  let id: String
  let title: String
  let owner: String
  /// The owner's display name; `nil` from an older agent.
  let ownerDisplayName: String?
  let permission: String
  let contacts: Int
  let accepted: Bool

  /// The preview in one line.
  var sentence: String {
    let count = contacts == 1 ? "1 contact" : "\(contacts) contacts"
    let access = permission == "readWrite" ? "read and write" : "read-only"
    return "“\(title)”, a group of \(ownerDisplayName ?? owner): \(count), \(access)."
  }
}

/// Names of permissions: the agent's in JSON, shorter ones for people.
enum SharePermissionWord {
  /// Returns the name for people.
  static func shown(_ word: String) -> String {
    switch word {
    case "readOnly": "read"
    case "readWrite": "write"
    default: word
    }
  }
}

/// The body that creates or changes a share.
struct ShareBody: Encodable, Sendable {
  var anyone: String?
  var permission: String?
  var invite: [String]?
  var expiresSeconds: Int64?
  var uses: Int?
}

/// The body that changes a participant of a share.
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
