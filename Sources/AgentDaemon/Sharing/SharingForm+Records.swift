// Requests about a share. They use the same words for permissions as the answers.

import AgentAPI
import Records

extension SharingForm {
  /// The permission of anyone with the link; `nil` if the request does not contain it.
  var publicPermission: SharePermission? {
    get throws { try anyone.map { try SharePermission(word: $0, field: "anyone") } }
  }

  /// The permission of invited accounts; `nil` if the request does not contain it.
  var invitedPermission: SharePermission? {
    get throws { try permission.map { try SharePermission(word: $0, allowsNone: false) } }
  }
}

extension ShareLinkForm {
  /// A hundred years. A longer time may as well be unlimited.
  private static let secondsMaximum: Int64 = 3_155_760_000

  /// Whether the request sets no properties of the link.
  var isEmpty: Bool { expiresSeconds == nil && uses == nil }

  /// Rejects numbers out of range.
  /// - Throws: `invalidArguments`.
  func check() throws {
    if let seconds = expiresSeconds, !(1...Self.secondsMaximum).contains(seconds) {
      throw RecordsError.invalid(
        "expiresSeconds must be from 1 to \(Self.secondsMaximum).", field: "expiresSeconds")
    }
    if let uses, !(1...1_000_000).contains(uses) {
      throw RecordsError.invalid("uses must be a number from 1 to 1000000.", field: "uses")
    }
  }

  /// Returns the link as it is sent to the broker.
  /// - Throws: `invalidArguments`.
  func form(_ digest: [UInt8], _ now: Timestamp) throws -> LinkForm {
    try check()
    return LinkForm(
      digest: digest, expires: expiresSeconds.map { now.adding(seconds: $0) }, uses: uses)
  }
}

extension DecisionForm {
  /// Returns the decision to send; `permission` is that of an approved account, if the request does not contain one.
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
