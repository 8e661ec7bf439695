import Records

/// The account that sent a modify request and its rights: the same for every group of the request.
struct PlanningContext {
  let account: AccountID
  /// The account's rows in the shares of other accounts' zones.
  let participations: [ZoneID: StoredParticipation]
  let publicRights: PublicRights
  /// `nil` if looking them up would have taken too long; `ModifyPlanner` then refuses the request.
  let references: ReferenceTargets?
  /// The changes that the author of a conditional deletion has not received, by zone.
  let unseenChanges: [ZoneID: UnseenChanges]
  /// The revision at which a new zone begins.
  let newZoneHead: Revision
  let quotas: QuotaPolicy
  /// The author and time of every change of the request.
  let stamp: Stamp
}

/// What the remaining operations of a modify request may still use. A group works on a copy, so a group
/// that fails uses nothing.
struct RequestBudget {
  /// The assets that records may name; `nil` if the request names none.
  var assets: AvailableAssets?
  var records: RecordQuota
  /// The account's zones, including those the request has created so far.
  var zones: ZoneCounts
  /// The bytes of stored records that the request may still read and write.
  var storedBytesLeft: Int
}
