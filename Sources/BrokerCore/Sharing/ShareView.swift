// A share as a participant sees it. The owner and administrators see everything; members see the owner and
// the participants who have accepted.

import Records

extension Share {
  /// Creates the view of `stored` that `account` gets at the broker's time `now`.
  package init(_ stored: StoredShare, for account: AccountID, at now: Timestamp) {
    let isManager = stored.access(of: account).allowsManaging
    let owner = Participant(
      account: stored.owner.id, name: stored.owner.name, displayName: stored.owner.displayName,
      role: .owner, permission: .readWrite, status: .accepted)
    let others = stored.participants.filter {
      isManager || $0.participation.status == .accepted
    }
    let sorted = others.sorted {
      let left = ($0.participation.status.sortOrder, $0.changed, $0.account.key)
      return left < ($1.participation.status.sortOrder, $1.changed, $1.account.key)
    }
    self.init(
      zone: stored.zone.id, title: stored.zone.title,
      publicPermission: stored.publicPermission ?? .none,
      link: isManager ? stored.link.map { ShareLink($0, at: now) } : nil,
      participants: [owner] + sorted.map(Participant.init),
      requests: isManager
        ? stored.requests.sorted { ($0.asked, $0.account.key) < ($1.asked, $1.account.key) }
          .map(AccessRequest.init) : [])
  }

  /// Returns a copy that says of each participant whether it is caught up with the zone.
  package func telling(isLevel: (AccountID) -> Bool?) -> Share {
    Share(
      zone: zone, title: title, publicPermission: publicPermission, link: link,
      participants: participants.map { participant in
        Participant(
          account: participant.account, name: participant.name,
          displayName: participant.displayName, role: participant.role,
          permission: participant.permission, status: participant.status,
          isLevel: participant.status == .accepted ? isLevel(participant.account) : nil)
      }, requests: requests)
  }
}

extension Participant.Status {
  /// Participants who have accepted precede invited ones; former participants are last.
  fileprivate var sortOrder: Int {
    switch self {
    case .accepted: 0
    case .invited: 1
    case .removed, .left: 2
    }
  }
}

extension Participant {
  fileprivate init(_ stored: StoredParticipant) {
    self.init(
      account: stored.account.id, name: stored.account.name,
      displayName: stored.account.displayName, role: stored.participation.role,
      permission: stored.participation.permission, status: stored.participation.status)
  }
}

extension AccessRequest {
  /// Creates the view of an access request that managers of the share get.
  package init(_ stored: StoredAccessRequest) {
    self.init(
      account: stored.account.id, name: stored.account.name,
      displayName: stored.account.displayName, asked: stored.asked, standing: stored.standing)
  }
}

extension ShareLink {
  fileprivate init(_ stored: StoredLink, at now: Timestamp) {
    self.init(
      digest: stored.digest, standing: stored.standing(at: now), expires: stored.expires,
      usesLeft: stored.usesLeft)
  }
}
