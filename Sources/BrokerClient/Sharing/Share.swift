import Records

/// The share of a zone: its participants, their permissions and its link. CloudKit: `CKShare` of a zone.
///
/// A zone has at most one share. In contrast to a `CKShare`, a share is not a record: the functions of
/// ``Database`` change it, and return it as it is after the change.
public struct Share: Hashable, Sendable {
  /// The shared zone. CloudKit: `recordID.zoneID`.
  public let zoneID: ZoneID
  /// The zone's title. CloudKit: `CKShare.SystemFieldKey.title`.
  public let title: String
  /// The permission of accounts that accept with the link without an invitation. CloudKit:
  /// `publicPermission`.
  public let publicPermission: SharePermission
  /// The share's link, if it is valid and the call that returned this share contained or drew it; otherwise
  /// `nil`, because the broker does not know it. CloudKit: `url`.
  public let link: ShareLink?
  /// Whether the share's newest link can be used; `nil` unless the current user may manage the share.
  public let linkStatus: ShareLinkStatus?
  /// The owner of the zone. CloudKit: `owner`.
  public let owner: ShareParticipant
  /// The current user in the share. CloudKit: `currentUserParticipant`.
  public let currentUserParticipant: ShareParticipant?
  /// The owner, then the other participants by the time they accepted, then invited and former ones.
  /// Members see only the owner and the participants who accepted. CloudKit: `participants`.
  public let participants: [ShareParticipant]
  /// The requests for access; empty unless the current user may manage the share. CloudKit: `requesters` and
  /// `blockedIdentities`.
  public let accessRequests: [AccessRequest]

  private let linkDigest: [UInt8]?

  /// - Parameters:
  ///   - account: The current user's account.
  ///   - link: The link of the request, which may be the share's.
  init(_ stored: Records.Share, account: AccountID, link: ShareLink?) throws(RecordsError) {
    zoneID = ZoneID(stored.zone, seenBy: account)
    title = stored.title
    publicPermission = stored.publicPermission
    linkDigest = stored.link?.standing == .valid ? stored.link?.digest : nil
    self.link = link?.digest == linkDigest ? link : nil
    linkStatus = stored.link.map(ShareLinkStatus.init)
    participants = stored.participants.map(ShareParticipant.init)
    guard let owner = participants.first(where: { $0.role == .owner }) else {
      throw Database.unexpectedAnswer
    }
    self.owner = owner
    currentUserParticipant = participants.first { $0.id == UserID(account) }
    accessRequests = stored.requests.map(AccessRequest.init)
  }

  /// Returns whether `link` is the share's link and can be used. Always `false` unless the current user may
  /// manage the share.
  public func accepts(_ link: ShareLink) -> Bool {
    link.digest == linkDigest
  }

  /// Returns the participant with this id, former participants included.
  public func participant(_ user: UserID) -> ShareParticipant? {
    participants.first { $0.id == user }
  }
}
