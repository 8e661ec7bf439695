import Records

/// A user in a share. CloudKit: `CKShare.Participant`.
///
/// Change `permission` or `role` and pass the value to `Database.save(_:in:)`.
public struct ShareParticipant: Hashable, Sendable, Identifiable {
  /// A participant's part in a share. CloudKit: `CKShare.ParticipantRole`.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// The user owns the zone.
    case owner
    /// The user may change the share, and may always write. Only the owner appoints administrators.
    case administrator
    /// The user has access to the records, and may leave the share.
    case member
  }

  /// A participant's progress from invitation to removal. CloudKit: `CKShare.ParticipantAcceptanceStatus`.
  public enum AcceptanceStatus: String, Hashable, Sendable, CaseIterable {
    /// The user was invited and has not accepted. CloudKit: `pending`.
    case invited
    /// The user has access.
    case accepted
    /// The owner or an administrator removed the user, which can return only by another invitation.
    case removed
    /// The user left the share or declined the invitation.
    case left
  }

  /// The user's id.
  public var id: UserID { userIdentity.id }
  /// The user. CloudKit: `userIdentity`.
  public let userIdentity: UserIdentity
  /// The participant's part in the share. CloudKit: `role`.
  public var role: Role
  /// What the participant may do with the records; always `readWrite` for the owner and administrators.
  /// CloudKit: `permission`.
  public var permission: SharePermission
  /// The participant's progress from invitation to removal. CloudKit: `acceptanceStatus`.
  public let acceptanceStatus: AcceptanceStatus
  /// Whether a connected device of the user that follows the zone has received its newest change; `nil` if
  /// none follows it. CloudKit has no equivalent.
  public let isCaughtUp: Bool?

  init(_ stored: Participant) {
    userIdentity = UserIdentity(
      account: stored.account, name: stored.name, displayName: stored.displayName)
    role = Role(stored.role)
    permission = stored.permission
    acceptanceStatus = AcceptanceStatus(stored.status)
    isCaughtUp = stored.isLevel
  }
}

extension ShareParticipant.Role {
  fileprivate init(_ stored: DirectoryEntry.Role) {
    self =
      switch stored {
      case .owner: .owner
      case .administrator: .administrator
      case .member: .member
      }
  }
}

extension ShareParticipant.AcceptanceStatus {
  fileprivate init(_ stored: Participant.Status) {
    self =
      switch stored {
      case .invited: .invited
      case .accepted: .accepted
      case .removed: .removed
      case .left: .left
      }
  }
}
