// Converts client messages to and from frames. Decoding validates messages completely, so later code
// can rely on bounded counts and valid names. Only a save's fields remain encoded. Invalid fields
// fail their own operation during planning and not the whole request.

import Records
import SwiftProtobuf

/// A message from a device and its id.
package struct ClientFrame: Hashable, Sendable {
  /// The id that the answer repeats.
  package let id: UInt64
  /// The message.
  package let message: ClientMessage

  package init(id: UInt64, message: ClientMessage) {
    self.id = id
    self.message = message
  }

  /// Decodes a frame's payload.
  /// - Throws: `RefusedFrame`, with the frame's id if it could be decoded.
  package init(payload: [UInt8]) throws(RefusedFrame) {
    try self.init(payload: payload[...])
  }

  /// Decodes a frame's payload from a slice, without copying an asset chunk.
  /// - Throws: `RefusedFrame`, with the frame's id if it could be decoded.
  package init(payload: ArraySlice<UInt8>) throws(RefusedFrame) {
    if let (number, piece) = AssetPiece.plainFrame(in: payload) {
      id = number
      message = .assetPiece(piece)
      return
    }
    let outline: Outline
    do throws(RecordsError) {
      outline = try Outline(of: payload)
    } catch {
      throw RefusedFrame(id: nil, error: .invalid("The bytes of a frame are not protobuf."))
    }
    id = outline.id
    do throws(RecordsError) {
      message = try Self.message(outline, payload)
    } catch {
      throw RefusedFrame(id: id, error: error)
    }
  }

  /// The parts of a frame that are read before its message is decoded.
  private struct Outline {
    var id: UInt64 = 0
    /// The encoded modify request, if the message is one.
    var request: ArraySlice<UInt8>?

    init(of payload: ArraySlice<UInt8>) throws(RecordsError) {
      var reader = ByteReader(payload)
      while let field = try reader.next() {
        switch field.number {
        case 1: id = try field.payload.unsigned()
        case 3: request = try field.payload.slice()
        // NB: this field may be another message. If a frame has several, the last one is used, as in
        // protobuf's oneof.
        default: request = nil
        }
      }
    }
  }

  private static func message(
    _ outline: Outline, _ payload: ArraySlice<UInt8>
  ) throws(RecordsError) -> ClientMessage {
    if let request = outline.request {
      guard payload.count <= Limits.requestBytes else {
        throw .limit("Bytes of a request", limit: Limits.requestBytes, actual: payload.count)
      }
      return .modify(try ModifyRequest(encoded: request))
    }
    let bytes = Array(payload)
    try RepeatedFieldLimits.check(bytes)
    guard let frame = try? WireClientFrame(serializedBytes: bytes) else {
      throw .invalid("The bytes of a frame are not a ClientFrame.")
    }
    return try ClientMessage(frame)
  }

  /// The frame's bytes without the length prefix.
  package var payload: [UInt8] {
    if case .modify(let request) = message {
      return Self.payload(id: id, encodedRequest: request.encoded)
    }
    var frame = WireClientFrame()
    frame.id = id
    frame.message = message.wire
    return frame.encoded
  }

  /// The frame's bytes with the length prefix.
  package var framed: [UInt8] {
    if case .assetPiece(let piece) = message { return piece.framed(number: id) }
    return FramePrefix.prepended(to: payload)
  }

  /// Returns a frame, with the length prefix, of a request that the device encoded earlier and
  /// stored in its outbox. See `ModifyRequest.encoded`.
  package static func framed(id: UInt64, encodedRequest: [UInt8]) -> [UInt8] {
    FramePrefix.prepended(to: payload(id: id, encodedRequest: encodedRequest))
  }

  private static func payload(id: UInt64, encodedRequest: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(reservingBytes: encodedRequest.count + 24)
    if id != 0 { writer.field(1, varint: id) }
    writer.field(3, bytes: encodedRequest)
    return writer.bytes
  }
}

extension ClientMessage {
  fileprivate init(_ frame: WireClientFrame) throws(RecordsError) {
    switch frame.message {
    case .hello(let hello): self = .hello(try Hello(hello))
    // Reached if another field follows the request in its frame.
    case .modify(let modify): self = .modify(try ModifyRequest(encoded: modify.encoded))
    case .acknowledge(let acknowledge):
      self = .acknowledge(try RequestNumber(wire: acknowledge.through))
    case .fetch(let fetch): self = .fetch(try RecordID.list(fetch.records))
    case .attach(let attach): self = .attach(try ZonePosition.list(attach.zones))
    case .detach(let detach): self = .detach(try ZoneID.list(detach.zones))
    case .zones: self = .zones
    case .history(let history):
      self = .history(
        RecordID(
          zone: try ZoneID(history.record.zone), name: try RecordName(history.record.name)),
        below: try Revision(wireOrNone: history.below))
    case .trash(let trash):
      self = .trash(try ZoneID(trash.zone), below: try Revision(wireOrNone: trash.below))
    case .cascaded(let cascaded):
      self = .cascaded(
        try ZoneID(cascaded.zone), by: try RequestNumber(wire: cascaded.number),
        after: try Revision(wire: cascaded.after))
    case .checkpoint: self = .checkpoint
    case .ping: self = .ping
    case .query(let query): self = .query(try QueryForm(query))
    case .saveSubscription(let save):
      let form = try SubscriptionForm(save.subscription)
      // Decoding accepts stored ids that precede the current rule; a new subscription must satisfy
      // it.
      _ = try SubscriptionID(form.id.text)
      self = .saveSubscription(form)
    case .deleteSubscription(let delete):
      self = .deleteSubscription(try SubscriptionID(delete.id))
    case .subscriptions(let list):
      self = .subscriptions(after: list.after.isEmpty ? nil : try SubscriptionID(list.after))
    case .followNotifications(let follow):
      self = .followNotifications(try NotificationNumber(wire: follow.position))
    case .acknowledgeNotifications(let acknowledge):
      self = .acknowledgeNotifications(try NotificationNumber(wire: acknowledge.through))
    case .offerAsset(let offer): self = .offerAsset(try Asset(offer.asset))
    case .assetPiece(let piece): self = .assetPiece(try AssetPiece(piece))
    case .fetchAsset(let fetch): self = .fetchAsset(try AssetFetch(fetch))
    case .findWantedAssets(let find): self = .wantedAssets(after: try AssetDigest.after(find))
    case .administer(let request): self = .administer(try AdministrativeRequest(request))
    case .share(let request): self = .share(try SharingRequest(request))
    case .account(let request): self = .account(try AccountRequest(request))
    case .join(let request): self = .join(try JoinRequest(request))
    case .invite(let offer): self = .invite(try InvitationOffer(offer))
    case .changeDevice(let request): self = .device(try DeviceRequest(request))
    case .listConnections: self = .connections
    case nil: throw .unknownKind(of: "message")
    }
  }

  fileprivate var wire: WireClientFrame.OneOf_Message {
    switch self {
    case .hello(let hello): .hello(hello.wire)
    case .modify: preconditionFailure("Modify requests have a handwritten encoder.")
    case .acknowledge(let number): .acknowledge(.with { $0.through = number.wire })
    case .fetch(let records): .fetch(.with { $0.records = records.map(\.wire) })
    case .attach(let zones): .attach(.with { $0.zones = zones.map(\.wire) })
    case .detach(let zones): .detach(.with { $0.zones = zones.map(\.wire) })
    case .zones: .zones(WireZones())
    case .history(let record, let below):
      .history(
        .with {
          $0.record = record.wire
          $0.below = below?.wire ?? 0
        })
    case .trash(let zone, let below):
      .trash(
        .with {
          $0.zone = zone.wire
          $0.below = below?.wire ?? 0
        })
    case .cascaded(let zone, let number, let after):
      .cascaded(
        .with {
          $0.zone = zone.wire
          $0.number = number.wire
          $0.after = after.wire
        })
    case .checkpoint: .checkpoint(WireCheckpoint())
    case .ping: .ping(WirePing())
    case .query(let query): .query(query.wire)
    case .saveSubscription(let form): .saveSubscription(.with { $0.subscription = form.wire })
    case .deleteSubscription(let id): .deleteSubscription(.with { $0.id = id.text })
    case .subscriptions(let after): .subscriptions(.with { $0.after = after?.text ?? "" })
    case .followNotifications(let number):
      .followNotifications(.with { $0.position = number.wire })
    case .acknowledgeNotifications(let number):
      .acknowledgeNotifications(.with { $0.through = number.wire })
    case .offerAsset(let asset): .offerAsset(.with { $0.asset = asset.wire })
    case .assetPiece(let piece): .assetPiece(piece.wire)
    case .fetchAsset(let fetch): .fetchAsset(fetch.wire)
    case .wantedAssets(let after): .findWantedAssets(AssetDigest.find(after: after))
    case .administer(let request): .administer(request.wire)
    case .share(let request): .share(request.wire)
    case .account(let request): .account(request.wire)
    case .join(let request): .join(request.wire)
    case .invite(let offer): .invite(offer.wire)
    case .device(let request): .changeDevice(request.wire)
    case .connections: .listConnections(WireListConnections())
    }
  }
}
