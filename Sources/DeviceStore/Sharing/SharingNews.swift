// Notifications about groups that no subscription causes: an account requests access to a group that this account
// manages, or has joined it; this account has gained or lost access to a group of another one; and the broker rejected
// the deletion of a group that others had changed. Users receive them as any other notification: in the list, in the
// stream, and on the desktop if that is permitted.

import Records

/// News of a group.
struct SharingNews {
  /// What happened.
  enum Kind {
    /// An account requests access.
    case request
    /// An account has joined by a link.
    case join
    /// This account has gained access.
    case gain
    /// This account has lost access.
    case loss
    /// The broker rejected the deletion of the group on this device.
    case rejectedDeletion
  }

  let kind: Kind
  /// The group.
  let zone: ZoneID
  /// The title of the group.
  let title: String
  /// The id of the account or of the group.
  let name: String
  /// The name of the account or the title of the group.
  let shownName: String
  /// The text of the notification.
  let sentence: String

  /// A new request for access to a group of this account.
  static func request(_ request: AccessRequest, for row: ZoneRow) -> SharingNews {
    SharingNews(
      kind: .request, zone: row.zone, title: row.title, name: request.account.description,
      shownName: request.displayName,
      sentence: "\(request.displayName) asks for access to “\(row.title)”")
  }

  /// A new participant of a group that this account manages.
  static func join(of member: ZoneMember, to row: ZoneRow) -> SharingNews {
    SharingNews(
      kind: .join, zone: row.zone, title: row.title, name: member.account.description,
      shownName: member.displayName, sentence: "\(member.displayName) joined “\(row.title)”")
  }

  /// The beginning of this account's access to a group.
  static func gain(of row: ZoneRow) -> SharingNews {
    SharingNews(
      kind: .gain, zone: row.zone, title: row.title, name: row.zone.name.description,
      shownName: row.title,
      sentence: "The group “\(row.title)” of \(row.ownerDisplayName) is now shared with you.")
  }

  /// The end of this account's access to a group.
  /// - Parameter hasRejectedEdits: whether the device had edits that the broker had not received.
  static func loss(of row: ZoneRow, hasRejectedEdits: Bool) -> SharingNews {
    let further =
      hasRejectedEdits ? " Your changes that were not sent are in: contactsctl refused list" : ""
    return SharingNews(
      kind: .loss, zone: row.zone, title: row.title, name: row.zone.name.description,
      shownName: row.title,
      sentence: "The group “\(row.title)” is no longer shared with you.\(further)")
  }

  /// The broker rejected the deletion of a group, which is shown again.
  static func rejectedDeletion(of row: ZoneRow, because error: RecordsError) -> SharingNews {
    SharingNews(
      kind: .rejectedDeletion, zone: row.zone, title: row.title, name: row.zone.name.description,
      shownName: row.title, sentence: error.description)
  }

  /// The subscription id in the notification.
  var subscription: SubscriptionID {
    switch kind {
    case .request: .accessRequests
    case .join: .joinedAccounts
    case .gain: .gainedGroups
    case .loss: .lostGroups
    case .rejectedDeletion: .rejectedDeletions
    }
  }

  /// The record type in the notification. No record has it.
  var type: RecordType {
    switch kind {
    case .request: Self.requestType
    case .join: Self.participantType
    case .gain, .loss, .rejectedDeletion: LocalEvent.groupType
    }
  }

  /// The record type in notifications of requests.
  static let requestType = RecordType(stored: "AccessRequest")
  /// The record type in notifications of new participants.
  static let participantType = RecordType(stored: "Participant")
}

extension SubscriptionID {
  /// The subscription id in notifications of access requests. Ids of users' subscriptions do not begin like this.
  package static let accessRequests = SubscriptionID(stored: "_access-requests")
  /// The subscription id in notifications of accounts that joined a group.
  package static let joinedAccounts = SubscriptionID(stored: "_joined-accounts")
  /// The subscription id in notifications of groups that are now shared with this account.
  package static let gainedGroups = SubscriptionID(stored: "_gained-groups")
  /// The subscription id in notifications of groups that are no longer shared with this account.
  package static let lostGroups = SubscriptionID(stored: "_lost-groups")
  /// The subscription id in notifications of groups whose deletion the broker rejected.
  package static let rejectedDeletions = SubscriptionID(stored: "_rejected-deletions")
}
