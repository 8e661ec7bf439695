import FoundationEssentials
import Records

/// A user's request for access to a shared zone. CloudKit: `CKShare.AccessRequester`.
public struct AccessRequest: Hashable, Sendable, Identifiable {
  /// The decision about a request.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// The owner and the administrators have not decided.
    case waiting
    /// The request was denied; the user may ask again.
    case denied
    /// The user is blocked and does not learn that. The request remains listed, so that the block can be
    /// lifted by an approval.
    case blocked
  }

  /// The user's id.
  public var id: UserID { userIdentity.id }
  /// The user that asks for access. CloudKit: `userIdentity`.
  public let userIdentity: UserIdentity
  /// The time of the user's latest request.
  public let date: Date
  /// The decision about the request.
  public let status: Status

  init(_ stored: Records.AccessRequest) {
    userIdentity = UserIdentity(
      account: stored.account, name: stored.name, displayName: stored.displayName)
    date = Date(stored.asked)
    status =
      switch stored.standing {
      case .waiting: .waiting
      case .denied: .denied
      case .blocked: .blocked
      }
  }
}
