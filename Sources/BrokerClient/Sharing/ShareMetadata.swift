import Records

/// A preview of a share, for a user that has its link. CloudKit: `CKShare.Metadata`.
///
/// It contains no records.
public struct ShareMetadata: Hashable, Sendable {
  /// The shared zone. After the user has accepted, it is in the shared database.
  public let zoneID: ZoneID
  /// The zone's title. CloudKit: `share` and its title.
  public let title: String
  /// The owner of the zone. CloudKit: `ownerIdentity`.
  public let owner: UserIdentity
  /// The permission that the user has, or will have after accepting. CloudKit: `participantPermission`.
  public let permission: SharePermission
  /// The number of records in the zone.
  public let recordCount: Int
  /// Whether the user has accepted. CloudKit: `participantStatus`.
  public let isAccepted: Bool

  init(_ stored: SharePreview, account: AccountID) {
    zoneID = ZoneID(stored.zone, seenBy: account)
    title = stored.title
    owner = UserIdentity(
      account: stored.zone.owner, name: stored.ownerName, displayName: stored.ownerDisplayName)
    permission = stored.permission
    recordCount = stored.recordCount
    isAccepted = stored.isAccepted
  }
}
