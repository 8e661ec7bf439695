// What an account asks of a share, or through a link. These are not edits: they need the broker's
// answer, so they bear no number and wait in no outbox. Each may be sent again without harm: a share
// that is there is answered as it is, who is gone stays gone, and a link's use counts once a person.

/// Something asked of a share.
package enum ShareOrder: Hashable, Sendable {
  /// Share the zone; where it is shared already nothing but the answer comes of it. Answered by
  /// `share`.
  case create(ZoneID, ShareForm)
  /// The share as it stands. Answered by `share`.
  case fetch(ZoneID)
  /// What anyone with the link may do. Answered by `share`.
  case setPublicPermission(ZoneID, SharePermission)
  /// A new link in the place of the old one, which is void from then on. Answered by `share`.
  case renewLink(ZoneID, LinkForm)
  /// The link is void; who came by it stays. Answered by `share`.
  case revokeLink(ZoneID)
  /// Let an account in by its name, once it accepts. Answered by `share`.
  case invite(ZoneID, name: String, SharePermission)
  /// What a participant may do, and whether it helps to manage the share. Answered by `share`.
  case setParticipant(ZoneID, AccountID, SharePermission, isAdministrator: Bool)
  /// Take a participant's access. Answered by `share`.
  case removeParticipant(ZoneID, AccountID)
  /// Take everybody's access and forget the share. Answered by `done`.
  case stop(ZoneID)
  /// Give up one's own access. Answered by `done`.
  case leave(ZoneID)
  /// What a link leads to. Answered by `preview`.
  case preview(ShareSecret)
  /// Come in by a link. Answered by `preview`, as it stands afterwards; the zone comes by the
  /// directory.
  case accept(ShareSecret)
  /// Ask the owner of a link that no longer leads in. Answered by `done`, whoever it was.
  case requestAccess(ShareSecret)
  /// Turn an invitation down, by any link that was made for the zone. Answered by `done`.
  case decline(ShareSecret)
  /// What becomes of somebody's request. Answered by `share`.
  case answerRequest(ZoneID, AccountID, AccessDecision)

  /// The zone it names; `nil` where a link does.
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

/// How a zone is to be shared at first.
package struct ShareForm: Hashable, Sendable {
  /// What anyone with the link may do; `none` lets in only who is invited.
  package let publicPermission: SharePermission
  /// The link.
  package let link: LinkForm

  /// A share to be made.
  package init(publicPermission: SharePermission, link: LinkForm) {
    self.publicPermission = publicPermission
    self.link = link
  }
}

/// A link to be made. Its secret stays on the device that drew it; the broker keeps the digest.
package struct LinkForm: Hashable, Sendable {
  /// The SHA-256 of the secret's 16 bytes.
  package let digest: [UInt8]
  /// When it leads in no longer; `nil` for never.
  package let expires: Timestamp?
  /// How many may come in by it; `nil` for any number.
  package let uses: Int?

  /// A link to be made.
  package init(digest: [UInt8], expires: Timestamp? = nil, uses: Int? = nil) {
    self.digest = digest
    self.expires = expires
    self.uses = uses
  }
}

/// What the owner says to a request for access.
package enum AccessDecision: Hashable, Sendable {
  /// Let the person in with this permission.
  case approve(SharePermission)
  /// Not now; the person may ask again.
  case deny
  /// Never; further requests of the person are not shown.
  case block
}

/// The answer to an order.
package enum ShareAnswer: Hashable, Sendable {
  /// The share as it stands.
  case share(Share)
  /// What the link leads to.
  case preview(SharePreview)
  /// It is done.
  case done
}
