// What a client sends about a share. Words for permissions are those that are told.

import Foundation
import Records

/// The body of `POST` and `PATCH` on a share.
struct ShareRequest: Decodable, Sendable {
  /// What anyone with the link may do: `none`, `readOnly` or `readWrite`; without it, as it is.
  let anyone: String?
  /// What whoever is invited may do: `readOnly` or `readWrite`.
  let permission: String?
  /// Accounts to invite, by name.
  let invite: [String]?
  /// The link.
  let link: LinkRequest

  private enum CodingKeys: CodingKey { case anyone, permission, invite }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    anyone = try container.decodeIfPresent(String.self, forKey: .anyone)
    permission = try container.decodeIfPresent(String.self, forKey: .permission)
    invite = try container.decodeIfPresent([String].self, forKey: .invite)
    link = try LinkRequest(from: decoder)
  }

  /// What anyone with the link may do; `nil` where nothing is said.
  var publicPermission: SharePermission? {
    get throws { try anyone.map { try SharePermission(word: $0, field: "anyone") } }
  }

  /// What whoever is invited may do; `nil` where nothing is said.
  var invitedPermission: SharePermission? {
    get throws { try permission.map { try SharePermission(word: $0, allowsNone: false) } }
  }
}

/// The body of `POST` on a link, and a part of that on a share.
struct LinkRequest: Decodable, Sendable {
  /// A hundred years: whoever wants more wants no end.
  private static let secondsMaximum: Int64 = 3_155_760_000

  /// How long it leads in; `nil` for ever.
  let expiresSeconds: Int64?
  /// How many may come in by it; `nil` for any number.
  let uses: Int?

  /// Whether nothing is asked of the link.
  var isEmpty: Bool { expiresSeconds == nil && uses == nil }

  /// The link as the broker is told it.
  /// - Throws: `invalidArguments`.
  func form(_ digest: [UInt8], _ now: Timestamp) throws -> LinkForm {
    if let seconds = expiresSeconds, !(1...Self.secondsMaximum).contains(seconds) {
      throw RecordsError.invalid(
        "expiresSeconds must be from 1 to \(Self.secondsMaximum).", field: "expiresSeconds")
    }
    if let uses, !(1...1_000_000).contains(uses) {
      throw RecordsError.invalid("uses must be a number from 1 to 1000000.", field: "uses")
    }
    return LinkForm(
      digest: digest, expires: expiresSeconds.map { now.adding(seconds: $0) }, uses: uses)
  }
}

/// The body of `POST` on participants.
struct InvitationRequest: Decodable, Sendable {
  /// The account's name.
  let name: String
  /// What it may do; without it, what was said when the group was shared.
  let permission: String?
}

/// The body of `PATCH` on a participant; what is not named stays.
struct ParticipantRequest: Decodable, Sendable {
  let permission: String?
  let administrator: Bool?
}

/// The body of `POST` on a request for access.
struct DecisionRequest: Decodable, Sendable {
  /// `approve`, `deny` or `block`.
  let decision: String
  /// What an approved person may do.
  let permission: String?

  /// What is to be said.
  func decision(orElse permission: SharePermission) throws -> AccessDecision {
    switch decision {
    case "approve":
      let said = try self.permission.map { try SharePermission(word: $0, allowsNone: false) }
      return .approve(said ?? permission)
    case "deny": return .deny
    case "block": return .block
    default:
      throw RecordsError.invalid("decision must be approve, deny or block.", field: "decision")
    }
  }
}

/// The body of `POST` on links.
struct FollowedLink: Decodable, Sendable {
  let link: String
}

extension SharePermission {
  /// The word for it in JSON.
  var word: String {
    switch self {
    case .none: "none"
    case .readOnly: "readOnly"
    case .readWrite: "readWrite"
    }
  }

  /// Reads a word.
  init(word: String, field: String = "permission", allowsNone: Bool = true) throws {
    let allowed = Self.allCases.filter { allowsNone || $0 != .none }
    guard let permission = allowed.first(where: { $0.word == word }) else {
      let words = allowed.map(\.word).joined(separator: ", ")
      throw RecordsError.invalid("\(field) must be one of \(words).", field: field)
    }
    self = permission
  }
}
