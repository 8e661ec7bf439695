// What a device sends, between bytes and nouns. Whatever can be wrong with a message is found here,
// so behind it every count is bounded and every name keeps its rule. A save's fields stay closed:
// a record that is not one fails its own operation, in the plan, and not the whole request.

import Records
import SwiftProtobuf

/// A numbered message from a device.
package struct ClientFrame: Hashable, Sendable {
  /// The number its answer carries.
  package let id: UInt64
  /// The message.
  package let message: ClientMessage

  /// A message numbered `id`.
  package init(id: UInt64, message: ClientMessage) {
    self.id = id
    self.message = message
  }

  /// Reads a frame's payload.
  /// - Throws: `RefusedFrame`, with the frame's number wherever that could be read.
  package init(payload: [UInt8]) throws(RefusedFrame) {
    id = try FrameCensus.check(payload)
    guard let frame = try? WireClientFrame(serializedBytes: payload) else {
      throw RefusedFrame(id: id, error: .invalid("The bytes of a frame are not a ClientFrame."))
    }
    do throws(RecordsError) {
      message = try ClientMessage(frame, payloadBytes: payload.count)
    } catch {
      throw RefusedFrame(id: id, error: error)
    }
  }

  /// The frame's bytes without their length.
  package var payload: [UInt8] {
    var frame = WireClientFrame()
    frame.id = id
    frame.message = message.wire
    return frame.encoded
  }

  /// The frame's bytes as they stand in the stream, length first.
  package var framed: [UInt8] { FramePrefix.framing(payload) }

  /// The frame, length first, of a request that was encoded when it was frozen; see
  /// `ModifyRequest.encoded`.
  package static func framed(id: UInt64, encodedRequest: [UInt8]) -> [UInt8] {
    var writer = ByteWriter(reservingBytes: encodedRequest.count + 24)
    if id != 0 { writer.field(1, varint: id) }
    writer.field(3, bytes: encodedRequest)
    return FramePrefix.framing(writer.bytes)
  }
}

extension ClientMessage {
  fileprivate init(_ frame: WireClientFrame, payloadBytes: Int) throws(RecordsError) {
    switch frame.message {
    case .hello(let hello): self = .hello(try Hello(hello))
    case .modify(let modify):
      guard payloadBytes <= Limits.requestBytes else {
        throw .limit("Bytes of a request", limit: Limits.requestBytes, actual: payloadBytes)
      }
      self = .modify(try ModifyRequest(modify))
    case .acknowledge(let acknowledge):
      self = .acknowledge(try RequestNumber(wire: acknowledge.through))
    case .fetch(let fetch): self = .fetch(try RecordID.list(fetch.records))
    case .attach(let attach): self = .attach(try ZonePosition.list(attach.zones))
    case .detach(let detach): self = .detach(try ZoneID.list(detach.zones))
    case .zones: self = .zones
    case .checkpoint: self = .checkpoint
    case .ping: self = .ping
    case nil: throw .unknownKind(of: "message")
    }
  }

  fileprivate var wire: WireClientFrame.OneOf_Message {
    switch self {
    case .hello(let hello): .hello(hello.wire)
    case .modify(let request): .modify(request.wire)
    case .acknowledge(let number): .acknowledge(.with { $0.through = number.wire })
    case .fetch(let records): .fetch(.with { $0.records = records.map(\.wire) })
    case .attach(let zones): .attach(.with { $0.zones = zones.map(\.wire) })
    case .detach(let zones): .detach(.with { $0.zones = zones.map(\.wire) })
    case .zones: .zones(WireZones())
    case .checkpoint: .checkpoint(WireCheckpoint())
    case .ping: .ping(WirePing())
    }
  }
}
