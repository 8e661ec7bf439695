import AgentAPI
import Records

extension ShareView {
  /// Creates the JSON of a share; `address` is `nil` if another device created the link.
  init(_ share: Share, link address: ShareAddress?) {
    let isUsable = share.link?.standing == .valid
    self.init(
      id: GroupID.text(share.zone), title: share.title, anyone: share.publicPermission.word,
      link: isUsable ? address?.text : nil, linkStanding: share.link.map { "\($0.standing)" },
      linkExpires: share.link?.expires, linkUsesLeft: share.link?.usesLeft,
      linkIsElsewhere: isUsable && address == nil,
      participants: share.participants.map { ParticipantItem($0) },
      requests: share.requests.map { AccessRequestItem($0) })
  }
}

extension ParticipantItem {
  init(_ participant: Participant) {
    self.init(
      id: participant.account.description, name: participant.name,
      displayName: participant.displayName, role: "\(participant.role)",
      permission: participant.permission.word, status: "\(participant.status)",
      upToDate: participant.isLevel)
  }
}

extension AccessRequestItem {
  init(_ request: AccessRequest) {
    self.init(
      id: request.account.description, name: request.name, displayName: request.displayName,
      asked: request.asked, standing: "\(request.standing)")
  }
}

extension PreviewView {
  init(_ preview: SharePreview) {
    self.init(
      id: GroupID.text(preview.zone), title: preview.title, owner: preview.ownerName,
      ownerDisplayName: preview.ownerDisplayName, permission: preview.permission.word,
      contacts: preview.recordCount, accepted: preview.isAccepted)
  }
}
