// Converts broker messages to and from frames. The broker encodes live changes with
// `ChangesEncoder` instead, once for all subscribers. Devices decode every broker frame here.

import Records
import SwiftProtobuf

/// A message from the broker and the id of the frame that it answers.
package struct BrokerFrame: Hashable, Sendable {
  /// The id of the frame that this one answers; 0 for unrequested messages.
  package let replyTo: UInt64
  /// The message.
  package let message: BrokerMessage

  package init(replyTo: UInt64, message: BrokerMessage) {
    self.replyTo = replyTo
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
      self.init(replyTo: number, message: .assetPiece(piece))
      return
    }
    if let frame = BrokerFrame(plain: payload) {
      self = frame
      return
    }
    try self.init(anyForm: payload)
  }

  /// Decodes a frame's payload of any form that protobuf allows.
  /// - Throws: as `init(payload:)`.
  init(anyForm payload: ArraySlice<UInt8>) throws(RefusedFrame) {
    guard let frame = try? WireBrokerFrame(serializedBytes: Array(payload)) else {
      throw RefusedFrame(id: nil, error: .invalid("The bytes of a frame are not a BrokerFrame."))
    }
    replyTo = frame.replyTo
    do throws(RecordsError) {
      message = try BrokerMessage(frame)
    } catch {
      throw RefusedFrame(id: frame.replyTo, error: error)
    }
  }

  /// The frame's bytes without the length prefix. An answer longer than `Limits.frameBytes` is
  /// replaced by a `limitExceeded` error.
  package var payload: [UInt8] {
    var frame = WireBrokerFrame()
    frame.replyTo = replyTo
    frame.message = message.wire
    let encoded = frame.encoded
    guard encoded.count > Limits.frameBytes else { return encoded }
    let error = RecordsError(
      .limitExceeded,
      "The answer has \(encoded.count) bytes; a frame has at most \(Limits.frameBytes).",
      hint: "Ask for less at a time.")
    frame.message = .error(error.wire)
    return frame.encoded
  }

  /// The frame's bytes with the length prefix.
  package var framed: [UInt8] {
    switch message {
    case .outcome(let outcome):
      return Self.framed(replyTo: replyTo, encodedOutcome: outcome.encoded)
    case .assetPiece(let piece): return piece.framed(number: replyTo)
    default: return FramePrefix.prepended(to: payload)
    }
  }

  /// Returns a frame, with the length prefix, of a stored outcome. See `ModifyOutcome.encoded`.
  package static func framed(replyTo: UInt64, encodedOutcome: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(reservingBytes: encodedOutcome.count + 24)
    if replyTo != 0 { writer.field(1, varint: replyTo) }
    writer.field(3, bytes: encodedOutcome)
    return FramePrefix.prepended(to: writer.bytes)
  }
}

extension BrokerMessage {
  fileprivate init(_ frame: WireBrokerFrame) throws(RecordsError) {
    switch frame.message {
    case .welcome(let welcome): self = .welcome(try Welcome(welcome))
    case .outcome(let outcome): self = .outcome(try ModifyOutcome(outcome))
    case .fetched(let fetched): self = .fetched(try Change.optionals(fetched.records))
    case .directory(let directory): self = .directory(try DirectoryPage(directory))
    case .history(let page): self = .history(try HistoryPage(page))
    case .trash(let page): self = .trash(try TrashPage(page))
    case .cascaded(let page): self = .cascaded(try CascadedPage(page))
    case .changes(let changes): self = .changes(try ZoneChanges(changes))
    case .level(let level):
      self = .level(
        zone: try ZoneID(level.zone), incarnation: try Incarnation(wire: level.incarnation),
        head: try Revision(wire: level.head), scanStart: try Revision(wire: level.scanStart),
        former: level.hasFormer ? try FormerHistory(level.former) : nil)
    case .reset(let reset): self = .reset(zone: try ZoneID(reset.zone), RecordsError(reset.error))
    case .checkpoint: self = .checkpoint
    case .pong: self = .pong
    case .error(let error): self = .error(RecordsError(error))
    case .goodbye(let error): self = .goodbye(RecordsError(error))
    case .queryPage(let page): self = .found(try FoundPage(page))
    case .subscriptionSaved: self = .subscriptionSaved
    case .subscriptionDeleted: self = .subscriptionDeleted
    case .subscriptionList(let list):
      self = .subscriptions(
        try SubscriptionState.list(list.subscriptions), isWhole: list.isWhole)
    case .notifications(let page): self = .notifications(try NotificationPage(page))
    case .assetStanding(let standing): self = .assetStanding(try AssetStanding(standing))
    case .assetPiece(let piece): self = .assetPiece(try AssetPiece(piece))
    case .wantedAssets(let page):
      self = .wantedAssets(try Asset.list(page.assets), isWhole: page.isWhole)
    case .administered(let answer): self = .administered(answer.sentence)
    case .joined(let answer): self = .joined(try Joined(answer))
    case .invited(let answer):
      guard answer.hasExpiresMicroseconds else {
        throw .invalid("An invitation must have the time at which it ends.")
      }
      self = .invited(
        addresses: answer.addresses, expires: Timestamp(microseconds: answer.expiresMicroseconds))
    case .deviceChanged: self = .deviceChanged
    case .connections(let answer): self = .connections(try DeviceConnection.list(answer))
    case .shared(let answer): self = .shared(try ShareAnswer(answer))
    case .accounts(let page):
      self = .accounts(try AccountProfile.list(page.accounts), isWhole: page.isWhole)
    case nil: throw .unknownKind(of: "message")
    }
  }

  fileprivate var wire: WireBrokerFrame.OneOf_Message {
    switch self {
    case .welcome(let welcome): .welcome(welcome.wire)
    case .outcome(let outcome): .outcome(outcome.wire)
    case .fetched(let changes): .fetched(Change.wire(changes))
    case .directory(let page): .directory(page.wire)
    case .history(let page): .history(page.wire)
    case .trash(let page): .trash(page.wire)
    case .cascaded(let page): .cascaded(page.wire)
    case .changes(let changes): .changes(changes.wire)
    case .level(let zone, let incarnation, let head, let scanStart, let former):
      .level(
        .with {
          $0.zone = zone.wire
          $0.incarnation = incarnation.wire
          $0.head = head.wire
          $0.scanStart = scanStart.wire
          if let former { $0.former = former.wire }
        })
    case .reset(let zone, let error):
      .reset(
        .with {
          $0.zone = zone.wire
          $0.error = error.wire
        })
    case .checkpoint: .checkpoint(WireCheckpoint())
    case .pong: .pong(WirePong())
    case .error(let error): .error(error.wire)
    case .goodbye(let error): .goodbye(error.wire)
    case .found(let page): .queryPage(page.wire)
    case .subscriptionSaved: .subscriptionSaved(WireSubscriptionSaved())
    case .subscriptionDeleted: .subscriptionDeleted(WireSubscriptionDeleted())
    case .subscriptions(let states, let isWhole):
      .subscriptionList(
        .with {
          $0.subscriptions = states.map(\.wire)
          $0.isWhole = isWhole
        })
    case .notifications(let page): .notifications(page.wire)
    case .assetStanding(let standing): .assetStanding(standing.wire)
    case .assetPiece(let piece): .assetPiece(piece.wire)
    case .wantedAssets(let assets, let isWhole):
      .wantedAssets(
        .with {
          $0.assets = assets.map(\.wire)
          $0.isWhole = isWhole
        })
    case .administered(let sentence): .administered(.with { $0.sentence = sentence })
    case .joined(let joined): .joined(joined.wire)
    case .invited(let addresses, let expires):
      .invited(
        .with {
          $0.addresses = addresses
          $0.expiresMicroseconds = expires.microseconds
        })
    case .deviceChanged: .deviceChanged(WireDeviceChanged())
    case .connections(let connections):
      .connections(.with { $0.connections = connections.map(\.wire) })
    case .shared(let answer): .shared(answer.wire)
    case .accounts(let profiles, let isWhole):
      .accounts(
        .with {
          $0.accounts = profiles.map(\.wire)
          $0.isWhole = isWhole
        })
    }
  }
}
