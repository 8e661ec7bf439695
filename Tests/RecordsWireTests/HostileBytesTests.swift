// Untrusted bytes. A frame is decoded or rejected. It never stops the program and never costs more
// than a multiple of its own length.

import Records
import SwiftProtobuf
import TestTiers
import Testing

@testable import RecordsWire

@Suite("B2 hostile bytes")
struct HostileBytesTests {
  @Test(arguments: Samples.clientMessages.prefix(TestTier.cases(Samples.clientMessages.count)))
  func `a truncated client frame is decoded or rejected`(message: ClientMessage) {
    let payload = ClientFrame(id: 300, message: message).payload
    for length in 0..<payload.count { survives(client: Array(payload.prefix(length))) }
  }

  @Test(arguments: Samples.brokerMessages)
  func `a truncated broker frame is decoded or rejected`(message: BrokerMessage) {
    let payload = BrokerFrame(replyTo: 300, message: message).payload
    for length in 0..<payload.count { survives(broker: Array(payload.prefix(length))) }
  }

  @Test(arguments: Samples.clientMessages)
  func `a client frame with a changed byte is decoded or rejected`(message: ClientMessage) {
    for payload in flips(of: ClientFrame(id: 300, message: message).payload) {
      survives(client: payload)
    }
  }

  @Test(.onlyInCheck, arguments: Samples.brokerMessages)
  func `a broker frame with a changed byte is decoded or rejected`(message: BrokerMessage) {
    for payload in flips(of: BrokerFrame(replyTo: 300, message: message).payload) {
      survives(broker: payload)
    }
  }

  @Test func `a record with a changed or missing byte is decoded or rejected`() {
    let bytes = EncodedRecord(Samples.fields).bytes
    for length in 0..<bytes.count { survives(record: Array(bytes.prefix(length))) }
    for flipped in flips(of: bytes) { survives(record: flipped) }
  }

  @Test(arguments: 0..<50)
  func `random bytes are decoded or rejected`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      let count = Int.random(in: 0...400, using: &generator)
      let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      survives(client: noise)
      survives(broker: noise)
      survives(record: noise)
    }
  }

  @Test func `nested lists are rejected without recursion`() throws {
    // Each layer is Value{list: List{values: …}}; as deep as a record's bytes allow.
    var layers: [UInt8] = [0x08, 0x01]
    while layers.count < Limits.recordBytes - 64 {
      var list = ByteWriter()
      list.field(1, bytes: layers)
      var value = ByteWriter()
      value.field(10, bytes: list.bytes)
      layers = value.bytes
      if layers.count > 4096 { break }
    }
    let deep = nested(in: layers, count: 20_000)
    var writer = ByteWriter()
    writer.field(1) { (field: inout ByteWriter) in
      field.field(1, string: "key")
      field.field(2, bytes: deep)
    }
    let record = EncodedRecord(stored: writer.bytes)
    let error = try #require(throws: RecordsError.self) { try record.fields() }
    #expect(error.code == .invalidArguments)
  }

  @Test func `nested groups are rejected without recursion`() {
    // Wire type 3 opens a group, which protobuf no longer supports.
    let payload = Array(repeating: UInt8(0x63), count: 1_000_000)
    survives(client: payload)
    survives(broker: payload)
  }

  @Test func `a frame full of empty operations is rejected before they are decoded`() throws {
    let operations = Array(repeating: [UInt8]([0x12, 0x00]), count: 1_000_000).flatMap { $0 }
    var writer = ByteWriter()
    writer.field(1, varint: 9)
    writer.field(3) { (modify: inout ByteWriter) in modify.field(3, bytes: operations) }
    let payload = writer.bytes
    let refused = try #require(throws: RefusedFrame.self) { try ClientFrame(payload: payload) }
    #expect(refused.id == 9)
    #expect(refused.error.code == .limitExceeded)
  }

  @Test(
    arguments: [
      [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0x0A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
      [0x00], [0x07], [0x0F, 0x01],
    ] as [[UInt8]])
  func `invalid lengths, numbers and types are rejected`(payload: [UInt8]) {
    #expect(throws: RefusedFrame.self) { try ClientFrame(payload: payload) }
    #expect(throws: RefusedFrame.self) { try BrokerFrame(payload: payload) }
    #expect(throws: RecordsError.self) { try EncodedRecord(stored: payload).fields() }
  }

  private func nested(in core: [UInt8], count: Int) -> [UInt8] {
    // Prefixes are made from the inside out and reversed, so that building stays linear.
    var reversed = Array(core.reversed())
    for _ in 0..<count {
      for number in [1, 10] as [UInt64] {
        var prefix = ByteWriter()
        prefix.varint(number << 3 | 2)
        prefix.varint(UInt64(reversed.count))
        reversed.append(contentsOf: prefix.bytes.reversed())
      }
    }
    return Array(reversed.reversed())
  }

  private func flips(of payload: [UInt8]) -> some Sequence<[UInt8]> {
    payload.indices.lazy.flatMap { index in
      ([0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] as [UInt8]).lazy.map { mask in
        var flipped = payload
        flipped[index] ^= mask
        return flipped
      }
    }
  }

  // A decoded value must be encodable again.

  private func survives(client payload: [UInt8]) {
    guard let frame = try? ClientFrame(payload: payload) else { return }
    #expect((try? ClientFrame(payload: frame.payload)) == frame)
  }

  private func survives(broker payload: [UInt8]) {
    guard let frame = try? BrokerFrame(payload: payload) else { return }
    #expect((try? BrokerFrame(payload: frame.payload)) == frame)
  }

  private func survives(record bytes: [UInt8]) {
    guard let fields = try? EncodedRecord(stored: bytes).fields() else { return }
    #expect((try? EncodedRecord(fields).fields()) == fields)
  }
}
