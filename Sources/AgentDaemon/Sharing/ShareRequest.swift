// Requests about a share. They use the same words for permissions as the answers.

import Foundation
import Records

/// The body of `POST` and `PATCH` on a share.
struct ShareRequest: Decodable, Sendable {
  /// The permission of anyone with the link: `none`, `readOnly` or `readWrite`; `nil` leaves it unchanged.
  let anyone: String?
  /// The permission of invited accounts: `readOnly` or `readWrite`.
  let permission: String?
  /// The names of accounts to invite.
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

  /// The permission of anyone with the link; `nil` if the request does not contain it.
  var publicPermission: SharePermission? {
    get throws { try anyone.map { try SharePermission(word: $0, field: "anyone") } }
  }

  /// The permission of invited accounts; `nil` if the request does not contain it.
  var invitedPermission: SharePermission? {
    get throws { try permission.map { try SharePermission(word: $0, allowsNone: false) } }
  }
}

/// The body of `POST` on a link, and a part of that on a share.
struct LinkRequest: Decodable, Sendable {
  /// A hundred years. A longer time may as well be unlimited.
  private static let secondsMaximum: Int64 = 3_155_760_000

  /// How long the link is valid; `nil` for ever.
  let expiresSeconds: Int64?
  /// How many accounts can join by the link; `nil` for any number.
  let uses: Int?

  /// Whether the request sets no properties of the link.
  var isEmpty: Bool { expiresSeconds == nil && uses == nil }

  /// Returns the link as it is sent to the broker.
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
  /// Its permission; `nil` for the one that was chosen when the group was shared.
  let permission: String?
}

/// The body of `PATCH` on a participant; `nil` leaves a property unchanged.
struct ParticipantRequest: Decodable, Sendable {
  let permission: String?
  let administrator: Bool?
}

/// The body of `POST` on a request for access.
struct DecisionRequest: Decodable, Sendable {
  /// `approve`, `deny` or `block`.
  let decision: String
  /// The permission of an approved account.
  let permission: String?

  /// Returns the decision to send.
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
  /// The name in JSON.
  var word: String {
    switch self {
    case .none: "none"
    case .readOnly: "readOnly"
    case .readWrite: "readWrite"
    }
  }

  /// Parses a name.
  init(word: String, field: String = "permission", allowsNone: Bool = true) throws {
    let allowed = Self.allCases.filter { allowsNone || $0 != .none }
    guard let permission = allowed.first(where: { $0.word == word }) else {
      let words = allowed.map(\.word).joined(separator: ", ")
      throw RecordsError.invalid("\(field) must be one of \(words).", field: field)
    }
    self = permission
  }
}
