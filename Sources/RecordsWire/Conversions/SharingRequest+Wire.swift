// Converts share requests. Decoding rejects senseless requests, such as a link with zero uses or an
// invitation without a permission, so the broker's planner never sees them.

import FoundationEssentials
import Records
import SwiftProtobuf

extension SharingRequest {
  init(_ wire: WireShareOrder) throws(RecordsError) {
    switch wire.order {
    case .create(let request):
      self = .create(
        try ZoneID(request.zone),
        ShareForm(
          publicPermission: try SharePermission(request.publicPermission),
          link: try LinkForm(request.link)))
    case .fetch(let request): self = .fetch(try ZoneID(request.zone))
    case .setPublicPermission(let request):
      self = .setPublicPermission(try ZoneID(request.zone), try SharePermission(request.permission))
    case .renewLink(let request):
      self = .renewLink(try ZoneID(request.zone), try LinkForm(request.link))
    case .revokeLink(let request): self = .revokeLink(try ZoneID(request.zone))
    case .invite(let request):
      self = .invite(
        try ZoneID(request.zone), name: try validatedTitle(request.name, of: "an account's name"),
        try SharePermission(granted: request.permission))
    case .setParticipant(let request):
      self = .setParticipant(
        try ZoneID(request.zone), try AccountID(wire: request.account),
        try SharePermission(granted: request.permission), isAdministrator: request.isAdministrator)
    case .removeParticipant(let request):
      self = .removeParticipant(try ZoneID(request.zone), try AccountID(wire: request.account))
    case .stop(let request): self = .stop(try ZoneID(request.zone))
    case .leave(let request): self = .leave(try ZoneID(request.zone))
    case .preview(let request): self = .preview(try ShareSecret(wire: request.secret))
    case .accept(let request): self = .accept(try ShareSecret(wire: request.secret))
    case .requestAccess(let request): self = .requestAccess(try ShareSecret(wire: request.secret))
    case .decline(let request): self = .decline(try ShareSecret(wire: request.secret))
    case .answerRequest(let request):
      self = .answerRequest(
        try ZoneID(request.zone), try AccountID(wire: request.account), try AccessDecision(request))
    case nil: throw .unknownKind(of: "share request")
    }
  }

  var wire: WireShareOrder {
    .with { $0.order = wireRequest }
  }

  private var wireRequest: WireShareOrder.OneOf_Order {
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
    case .invite, .setParticipant, .removeParticipant, .answerRequest: wireParticipantRequest
    }
  }

  private var wireParticipantRequest: WireShareOrder.OneOf_Order {
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
      preconditionFailure("The other share requests are encoded by wireRequest.")
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

  /// Decodes a permission to grant, which must not be `none`.
  init(granted wire: WireSharePermission) throws(RecordsError) {
    self = try Self(wire)
    guard self != .none else {
      throw .invalid("The permission must be readOnly or readWrite.", field: "permission")
    }
  }

  var wire: WireSharePermission { WireSharePermission(rawValue: Int(rawValue)) ?? .none }
}

extension LinkForm {
  init(_ wire: WireLinkForm) throws(RecordsError) {
    guard !wire.hasUses || wire.uses > 0 else {
      throw .invalid("A link must allow at least one use.", field: "uses")
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

/// Returns a link's digest. Rejects any length but 32 bytes.
func linkDigest(_ bytes: Data) throws(RecordsError) -> [UInt8] {
  guard bytes.count == 32 else {
    throw .invalid(
      "A link's digest must have 32 bytes; this one has \(bytes.count).", field: "digest")
  }
  return Array(bytes)
}

extension ShareSecret {
  fileprivate init(wire bytes: Data) throws(RecordsError) {
    guard let secret = Self(bytes: bytes) else {
      throw .invalid("A link's secret must have 16 bytes; this one has \(bytes.count).")
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
