// Requests about shares and share links. They need the broker's answer, so they have no request
// number and do not wait in an outbox. Repeating one is harmless: sharing a shared zone returns the
// existing share, removals remain in effect, and a link counts each account once.

/// A request to read or change a share.
package enum SharingRequest: Hashable, Sendable {
  /// Shares the zone. A zone that is already shared is left unchanged. Answered by `share`.
  case create(ZoneID, ShareForm)
  /// Returns the share. Answered by `share`.
  case fetch(ZoneID)
  /// Sets the permission of accounts that have the link. Answered by `share`.
  case setPublicPermission(ZoneID, SharePermission)
  /// Replaces the link; the old link is revoked. Answered by `share`.
  case renewLink(ZoneID, LinkForm)
  /// Revokes the link; participants who used it remain. Answered by `share`.
  case revokeLink(ZoneID)
  /// Invites an account by its name. Answered by `share`.
  case invite(ZoneID, name: String, SharePermission)
  /// Sets a participant's permission and whether it is an administrator. Answered by `share`.
  case setParticipant(ZoneID, AccountID, SharePermission, isAdministrator: Bool)
  /// Removes a participant. Answered by `share`.
  case removeParticipant(ZoneID, AccountID)
  /// Removes all participants and deletes the share. Answered by `done`.
  case stop(ZoneID)
  /// Leaves the share. Answered by `done`.
  case leave(ZoneID)
  /// Returns a preview of the share that the link leads to. Answered by `preview`.
  case preview(ShareSecret)
  /// Accepts a link or an invitation. Answered by `preview` with the new state; the zone arrives in
  /// the directory.
  case accept(ShareSecret)
  /// Asks the owner for access to the zone of a link, for example of an expired one. Answered by
  /// `done`, even if the account is blocked, because it must not learn that.
  case requestAccess(ShareSecret)
  /// Declines the account's invitation to a zone. Any link of the zone identifies it. Answered by
  /// `done`.
  case decline(ShareSecret)
  /// Answers a request for access. Answered by `share`.
  case answerRequest(ZoneID, AccountID, AccessDecision)

  /// The zone that the request names; `nil` if it names a link.
  package var zone: ZoneID? {
    switch self {
    case .create(let zone, _), .fetch(let zone), .setPublicPermission(let zone, _),
      .renewLink(let zone, _), .revokeLink(let zone), .invite(let zone, _, _),
      .setParticipant(let zone, _, _, _), .removeParticipant(let zone, _), .stop(let zone),
      .leave(let zone), .answerRequest(let zone, _, _):
      zone
    case .preview, .accept, .requestAccess, .decline: nil
    }
  }
}

/// The initial settings of a share.
package struct ShareForm: Hashable, Sendable {
  /// The permission of any account that has the link; `none` admits invited accounts only.
  package let publicPermission: SharePermission
  /// The share's link.
  package let link: LinkForm

  package init(publicPermission: SharePermission, link: LinkForm) {
    self.publicPermission = publicPermission
    self.link = link
  }
}

/// A new link. The device that generated the secret keeps it; the broker stores only its digest.
package struct LinkForm: Hashable, Sendable {
  /// The SHA-256 of the secret's 16 bytes.
  package let digest: [UInt8]
  /// When the link expires; `nil` for never.
  package let expires: Timestamp?
  /// The number of accounts that can accept with the link; `nil` for no limit.
  package let uses: Int?

  package init(digest: [UInt8], expires: Timestamp? = nil, uses: Int? = nil) {
    self.digest = digest
    self.expires = expires
    self.uses = uses
  }
}

/// A decision about a request for access. CloudKit: `CKShare.addParticipant(_:)`, `denyRequesters(_:)` and
/// `blockRequesters(_:)`.
public enum AccessDecision: Hashable, Sendable {
  /// Makes the account a participant at once, with this permission.
  case approve(SharePermission)
  /// Denies the request. The account may ask again.
  case deny
  /// Removes the account from the share and hides its further requests.
  case block
}

/// The answer to a share request.
package enum ShareAnswer: Hashable, Sendable {
  /// The share, after the change if the request made one.
  case share(Share)
  /// The share that a link leads to.
  case preview(SharePreview)
  /// The request was carried out.
  case done
}
