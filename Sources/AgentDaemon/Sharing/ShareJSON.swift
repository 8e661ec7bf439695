// A share in the agent's JSON: its participants, their permissions, and the link if this device has it.

import Records

extension JSONWriter {
  /// Writes a share; `link` is `nil` if another device created it.
  mutating func properties(of share: Share, link: ShareAddress?) {
    key("id")
    value(GroupID.text(share.zone))
    key("title")
    value(share.title)
    key("anyone")
    value(share.publicPermission.word)
    key("link")
    value(share.link?.standing == .valid ? link?.text : nil)
    key("linkStanding")
    value(share.link.map { "\($0.standing)" })
    key("linkExpires")
    value(share.link?.expires)
    key("linkUsesLeft")
    value(share.link?.usesLeft.map { Int64($0) })
    key("linkIsElsewhere")
    value(share.link?.standing == .valid && link == nil)
    key("participants")
    list(share.participants) { json, one in json.object { $0.properties(of: one) } }
    key("requests")
    list(share.requests) { json, one in json.object { $0.properties(of: one) } }
  }

  /// Writes a participant.
  mutating func properties(of participant: Participant) {
    key("id")
    value(participant.account.description)
    key("name")
    value(participant.name)
    key("displayName")
    value(participant.displayName)
    key("role")
    value("\(participant.role)")
    key("permission")
    value(participant.permission.word)
    key("status")
    value("\(participant.status)")
    key("upToDate")
    if let isLevel = participant.isLevel { value(isLevel) } else { null() }
  }

  /// Writes a request for access.
  mutating func properties(of request: AccessRequest) {
    key("id")
    value(request.account.description)
    key("name")
    value(request.name)
    key("displayName")
    value(request.displayName)
    key("asked")
    value(request.asked)
    key("standing")
    value("\(request.standing)")
  }

  /// Writes the preview of a link.
  mutating func properties(of preview: SharePreview) {
    key("id")
    value(GroupID.text(preview.zone))
    key("title")
    value(preview.title)
    key("owner")
    value(preview.ownerName)
    key("ownerDisplayName")
    value(preview.ownerDisplayName)
    key("permission")
    value(preview.permission.word)
    key("contacts")
    value(Int64(preview.recordCount))
    key("accepted")
    value(preview.isAccepted)
  }
}
