// Converts shares, their participants, requests for access, and previews of links.

import FoundationEssentials
import Records
import SwiftProtobuf

extension ShareAnswer {
  init(_ wire: WireShared) throws(RecordsError) {
    switch wire.answer {
    case .share(let share): self = .share(try Share(share))
    case .preview(let preview): self = .preview(try SharePreview(preview))
    case .done: self = .done
    case nil: throw .unknownKind(of: "answer about a share")
    }
  }

  var wire: WireShared {
    .with {
      switch self {
      case .share(let share): $0.share = share.wire
      case .preview(let preview): $0.preview = preview.wire
      case .done: $0.done = WireShareDone()
      }
    }
  }
}

extension Share {
  fileprivate init(_ wire: WireShare) throws(RecordsError) {
    var participants: [Participant] = []
    for participant in wire.participants { participants.append(try Participant(participant)) }
    var requests: [AccessRequest] = []
    for request in wire.requests { requests.append(try AccessRequest(request)) }
    self.init(
      zone: try ZoneID(wire.zone), title: try checkedTitle(wire.title, of: "a title"),
      publicPermission: try SharePermission(wire.publicPermission),
      link: wire.hasLink ? try ShareLink(wire.link) : nil, participants: participants,
      requests: requests)
  }

  fileprivate var wire: WireShare {
    .with {
      $0.zone = zone.wire
      $0.title = title
      $0.publicPermission = publicPermission.wire
      if let link { $0.link = link.wire }
      $0.participants = participants.map(\.wire)
      $0.requests = requests.map(\.wire)
    }
  }
}

extension ShareLink {
  fileprivate init(_ wire: WireShareLink) throws(RecordsError) {
    guard let standing = Standing(rawValue: UInt8(clamping: wire.standing.rawValue)) else {
      throw .unknownKind(of: "link")
    }
    self.init(
      digest: try linkDigest(wire.digest), standing: standing,
      expires: wire.hasExpiresMicroseconds
        ? Timestamp(microseconds: wire.expiresMicroseconds) : nil,
      usesLeft: wire.hasUsesLeft ? Int(wire.usesLeft) : nil)
  }

  fileprivate var wire: WireShareLink {
    .with {
      $0.digest = Data(digest)
      $0.standing = WireLinkStanding(rawValue: Int(standing.rawValue)) ?? .valid
      if let expires { $0.expiresMicroseconds = expires.microseconds }
      if let usesLeft { $0.usesLeft = UInt32(clamping: usesLeft) }
    }
  }
}

extension Participant {
  fileprivate init(_ wire: WireParticipant) throws(RecordsError) {
    guard let role = DirectoryEntry.Role(rawValue: UInt8(clamping: wire.role.rawValue)) else {
      throw .unknownKind(of: "role")
    }
    guard let status = Status(rawValue: UInt8(clamping: wire.status.rawValue)) else {
      throw .unknownKind(of: "participant")
    }
    self.init(
      account: try AccountID(wire: wire.account),
      name: try checkedTitle(wire.name, of: "an account's name"),
      displayName: try checkedTitle(wire.displayName, of: "a person's name"), role: role,
      permission: try SharePermission(wire.permission), status: status,
      isLevel: wire.hasIsLevel ? wire.isLevel : nil)
  }

  fileprivate var wire: WireParticipant {
    .with {
      $0.account = account.wire
      $0.name = name
      $0.role = WireRole(rawValue: Int(role.rawValue)) ?? .member
      $0.permission = permission.wire
      $0.status = WireParticipantStatus(rawValue: Int(status.rawValue)) ?? .left
      if let isLevel { $0.isLevel = isLevel }
      $0.displayName = displayName
    }
  }
}

extension AccessRequest {
  init(_ wire: WireAccessRequest) throws(RecordsError) {
    guard let standing = Standing(rawValue: UInt8(clamping: wire.standing.rawValue)) else {
      throw .unknownKind(of: "request for access")
    }
    self.init(
      account: try AccountID(wire: wire.account),
      name: try checkedTitle(wire.name, of: "an account's name"),
      displayName: try checkedTitle(wire.displayName, of: "a person's name"),
      asked: Timestamp(microseconds: wire.askedMicroseconds), standing: standing)
  }

  var wire: WireAccessRequest {
    .with {
      $0.account = account.wire
      $0.name = name
      $0.displayName = displayName
      $0.askedMicroseconds = asked.microseconds
      $0.standing = WireAccessRequestStanding(rawValue: Int(standing.rawValue)) ?? .waiting
    }
  }
}

extension SharePreview {
  fileprivate init(_ wire: WireSharePreview) throws(RecordsError) {
    guard let recordCount = Int(exactly: wire.recordCount) else {
      throw .invalid("A zone can have at most 2⁶³ − 1 records; this one has \(wire.recordCount).")
    }
    self.init(
      zone: try ZoneID(wire.zone), title: try checkedTitle(wire.title, of: "a title"),
      ownerName: try checkedTitle(wire.ownerName, of: "an account's name"),
      ownerDisplayName: try checkedTitle(wire.ownerDisplayName, of: "a person's name"),
      permission: try SharePermission(wire.permission), recordCount: recordCount,
      isAccepted: wire.isAccepted)
  }

  fileprivate var wire: WireSharePreview {
    .with {
      $0.zone = zone.wire
      $0.title = title
      $0.ownerName = ownerName
      $0.ownerDisplayName = ownerDisplayName
      $0.permission = permission.wire
      $0.recordCount = UInt64(clamping: recordCount)
      $0.isAccepted = isAccepted
    }
  }
}
