// Notifications about groups that no subscription causes: an account requests access to a group that this account
// manages, or has joined it; this account has gained or lost access to a group of another one; and the broker rejected
// the deletion of a group that others had changed. Users receive them as any other notification: in the list, in the
// stream, and on the desktop if that is permitted.

import Records

/// News of a zone.
package struct SharingNews: Sendable {
  /// What happened.
  package enum Kind: Sendable {
    /// An account requests access.
    case request
    /// An account has joined by a link.
    case join
    /// This account has gained access to a zone of the owner.
    case gain(owner: String)
    /// This account has lost access. Says whether the device had edits that the broker had not received.
    case loss(hasRejectedEdits: Bool)
    /// The broker rejected the deletion of the zone on this device.
    case rejectedDeletion(RecordsError)
  }

  /// What happened.
  package let kind: Kind
  let zone: ZoneID
  /// The title of the zone.
  package let title: String
  /// The id of the account or of the zone.
  let name: String
  /// The name of the account or the title of the zone.
  package let shownName: String

  /// A new request for access to a zone of this account.
  static func request(_ request: AccessRequest, for row: ZoneRow) -> SharingNews {
    SharingNews(
      kind: .request, zone: row.zone, title: row.title, name: request.account.description,
      shownName: request.displayName)
  }

  /// A new participant of a zone that this account manages.
  static func join(of member: ZoneMember, to row: ZoneRow) -> SharingNews {
    SharingNews(
      kind: .join, zone: row.zone, title: row.title, name: member.account.description,
      shownName: member.displayName)
  }

  /// The beginning of this account's access to a zone.
  static func gain(of row: ZoneRow) -> SharingNews {
    SharingNews(.gain(owner: row.ownerDisplayName), of: row)
  }

  /// The end of this account's access to a zone.
  /// - Parameter hasRejectedEdits: whether the device had edits that the broker had not received.
  static func loss(of row: ZoneRow, hasRejectedEdits: Bool) -> SharingNews {
    SharingNews(.loss(hasRejectedEdits: hasRejectedEdits), of: row)
  }

  /// The broker rejected the deletion of a zone, which is shown again.
  static func rejectedDeletion(of row: ZoneRow, because error: RecordsError) -> SharingNews {
    SharingNews(.rejectedDeletion(error), of: row)
  }

  private init(kind: Kind, zone: ZoneID, title: String, name: String, shownName: String) {
    self.kind = kind
    self.zone = zone
    self.title = title
    self.name = name
    self.shownName = shownName
  }

  private init(_ kind: Kind, of row: ZoneRow) {
    self.init(
      kind: kind, zone: row.zone, title: row.title, name: row.zone.name.description,
      shownName: row.title)
  }

  /// The news as a sentence about a zone.
  var sentence: String {
    switch kind {
    case .request: "\(shownName) asks for access to “\(title)”"
    case .join: "\(shownName) joined “\(title)”"
    case .gain(let owner): "The zone “\(title)” of \(owner) is now shared with this account."
    case .loss: "The zone “\(title)” is no longer shared with this account."
    case .rejectedDeletion(let error): error.description
    }
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
