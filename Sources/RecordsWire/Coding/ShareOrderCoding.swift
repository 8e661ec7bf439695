// What is asked of a share, between the wire's plain types and nouns. What cannot be meant – a link
// for nobody, an invitation to do nothing – is refused here, so the broker's decisions never see it.

import FoundationEssentials
import Records
import SwiftProtobuf

extension ShareOrder {
  init(_ wire: WireShareOrder) throws(RecordsError) {
    switch wire.order {
    case .create(let order):
      self = .create(
        try ZoneID(order.zone),
        ShareForm(
          publicPermission: try SharePermission(order.publicPermission),
          link: try LinkForm(order.link)))
    case .fetch(let order): self = .fetch(try ZoneID(order.zone))
    case .setPublicPermission(let order):
      self = .setPublicPermission(try ZoneID(order.zone), try SharePermission(order.permission))
    case .renewLink(let order):
      self = .renewLink(try ZoneID(order.zone), try LinkForm(order.link))
    case .revokeLink(let order): self = .revokeLink(try ZoneID(order.zone))
    case .invite(let order):
      self = .invite(
        try ZoneID(order.zone), name: try plainTitle(order.name, of: "an account's name"),
        try SharePermission(granted: order.permission))
    case .setParticipant(let order):
      self = .setParticipant(
        try ZoneID(order.zone), try AccountID(wire: order.account),
        try SharePermission(granted: order.permission), isAdministrator: order.isAdministrator)
    case .removeParticipant(let order):
      self = .removeParticipant(try ZoneID(order.zone), try AccountID(wire: order.account))
    case .stop(let order): self = .stop(try ZoneID(order.zone))
    case .leave(let order): self = .leave(try ZoneID(order.zone))
    case .preview(let order): self = .preview(try ShareSecret(wire: order.secret))
    case .accept(let order): self = .accept(try ShareSecret(wire: order.secret))
    case .requestAccess(let order): self = .requestAccess(try ShareSecret(wire: order.secret))
    case .decline(let order): self = .decline(try ShareSecret(wire: order.secret))
    case .answerRequest(let order):
      self = .answerRequest(
        try ZoneID(order.zone), try AccountID(wire: order.account), try AccessDecision(order))
    case nil: throw .unknownKind(of: "share order")
    }
  }

  var wire: WireShareOrder {
    .with { $0.order = wireOrder }
  }

  private var wireOrder: WireShareOrder.OneOf_Order {
    switch self {
    case .create(let zone, let form):
      .create(
        .with {
          $0.zone = zone.wire
          $0.publicPermission = form.publicPermission.wire
          $0.link = form.link.wire
        })
    case .fetch(let zone): .fetch(.with { $0.zone = zone.wire })
    case .setPublicPermission(let zone, let permission):
      .setPublicPermission(
        .with {
          $0.zone = zone.wire
          $0.permission = permission.wire
        })
    case .renewLink(let zone, let link):
      .renewLink(
        .with {
          $0.zone = zone.wire
          $0.link = link.wire
        })
    case .revokeLink(let zone): .revokeLink(.with { $0.zone = zone.wire })
    case .stop(let zone): .stop(.with { $0.zone = zone.wire })
    case .leave(let zone): .leave(.with { $0.zone = zone.wire })
    case .preview(let secret): .preview(.with { $0.secret = Data(secret.bytes) })
    case .accept(let secret): .accept(.with { $0.secret = Data(secret.bytes) })
    case .requestAccess(let secret): .requestAccess(.with { $0.secret = Data(secret.bytes) })
    case .decline(let secret): .decline(.with { $0.secret = Data(secret.bytes) })
    case .invite, .setParticipant, .removeParticipant, .answerRequest: wireOrderAboutSomebody
    }
  }

  private var wireOrderAboutSomebody: WireShareOrder.OneOf_Order {
    switch self {
    case .invite(let zone, let name, let permission):
      .invite(
        .with {
          $0.zone = zone.wire
          $0.name = name
          $0.permission = permission.wire
        })
    case .setParticipant(let zone, let account, let permission, let isAdministrator):
      .setParticipant(
        .with {
          $0.zone = zone.wire
          $0.account = account.wire
          $0.permission = permission.wire
          $0.isAdministrator = isAdministrator
        })
    case .removeParticipant(let zone, let account):
      .removeParticipant(
        .with {
          $0.zone = zone.wire
          $0.account = account.wire
        })
    case .answerRequest(let zone, let account, let decision):
      .answerRequest(
        .with {
          $0.zone = zone.wire
          $0.account = account.wire
          $0.decision = decision.wire
        })
    case .create, .fetch, .setPublicPermission, .renewLink, .revokeLink, .stop, .leave, .preview,
      .accept, .requestAccess, .decline:
      preconditionFailure("An order about nobody is written above.")
    }
  }
}

extension SharePermission {
  init(_ wire: WireSharePermission) throws(RecordsError) {
    guard let permission = Self(rawValue: UInt8(clamping: wire.rawValue)) else {
      throw .unknownKind(of: "permission")
    }
    self = permission
  }

  /// Reads what somebody is to be allowed, which is something.
  init(granted wire: WireSharePermission) throws(RecordsError) {
    self = try Self(wire)
    guard self != .none else {
      throw .invalid("Somebody is let in to read, or to read and change.", field: "permission")
    }
  }

  var wire: WireSharePermission { WireSharePermission(rawValue: Int(rawValue)) ?? .none }
}

extension LinkForm {
  init(_ wire: WireLinkForm) throws(RecordsError) {
    guard !wire.hasUses || wire.uses > 0 else {
      throw .invalid("A link lets at least one in.", field: "uses")
    }
    self.init(
      digest: try linkDigest(wire.digest),
      expires: wire.hasExpiresMicroseconds
        ? Timestamp(microseconds: wire.expiresMicroseconds) : nil,
      uses: wire.hasUses ? Int(wire.uses) : nil)
  }

  fileprivate var wire: WireLinkForm {
    .with {
      $0.digest = Data(digest)
      if let expires { $0.expiresMicroseconds = expires.microseconds }
      if let uses { $0.uses = UInt32(clamping: uses) }
    }
  }
}

/// Reads the digest of a link's secret.
func linkDigest(_ bytes: Data) throws(RecordsError) -> [UInt8] {
  guard bytes.count == 32 else {
    throw .invalid("A link's digest has 32 bytes; this one has \(bytes.count).", field: "digest")
  }
  return Array(bytes)
}

extension ShareSecret {
  fileprivate init(wire bytes: Data) throws(RecordsError) {
    guard let secret = Self(bytes: bytes) else {
      throw .invalid("A link's secret has 16 bytes; this one has \(bytes.count).")
    }
    self = secret
  }
}

extension AccessDecision {
  fileprivate init(_ wire: WireAnswerRequest) throws(RecordsError) {
    switch wire.decision {
    case .approve(let permission): self = .approve(try SharePermission(granted: permission))
    case .deny: self = .deny
    case .block: self = .block
    case nil: throw .unknownKind(of: "decision")
    }
  }

  fileprivate var wire: WireAnswerRequest.OneOf_Decision {
    switch self {
    case .approve(let permission): .approve(permission.wire)
    case .deny: .deny(true)
    case .block: .block(true)
    }
  }
}
