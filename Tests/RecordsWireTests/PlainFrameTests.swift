import Records
import TestTiers
import Testing

@testable import RecordsWire

@Suite("B2, P5, P15 the handwritten decoding of changes and outcomes")
struct PlainFrameTests {
  private func payload(_ message: BrokerMessage, replyTo: UInt64 = 0) -> [UInt8] {
    BrokerFrame(replyTo: replyTo, message: message).payload
  }

  /// An outcome of saves alone.
  private static let saves = ModifyOutcome(
    number: RequestNumber(8), groups: [[.saved(tag: Revision(41))], [.saved(tag: .zero)], []],
    time: Timestamp(microseconds: -3))

  @Test(arguments: [UInt64(0), 9, .max])
  func `changes and outcomes of saves are decoded by hand`(replyTo: UInt64) throws {
    for message: BrokerMessage in [.changes(Samples.zoneChanges), .outcome(Self.saves)] {
      let found = BrokerFrame(plain: payload(message, replyTo: replyTo)[...])
      #expect(found == BrokerFrame(replyTo: replyTo, message: message))
    }
  }

  @Test func `the encoder's frames are decoded by hand`() throws {
    let changes = Samples.zoneChanges
    for framed in ChangesEncoder.frames(changes) {
      #expect(
        BrokerFrame(plain: framed.dropFirst(FramePrefix.byteCount)[...])
          == BrokerFrame(replyTo: 0, message: .changes(changes)))
    }
    let framed = BrokerFrame.framed(replyTo: 4, encodedOutcome: Self.saves.encoded)
    #expect(
      BrokerFrame(plain: framed.dropFirst(FramePrefix.byteCount)[...])
        == BrokerFrame(replyTo: 4, message: .outcome(Self.saves)))
  }

  @Test(arguments: Samples.brokerMessages)
  func `other messages are left to the library`(message: BrokerMessage) {
    let payload = payload(message, replyTo: 300)
    agrees(payload)
    switch message {
    case .changes, .outcome: break
    default: #expect(BrokerFrame(plain: payload[...]) == nil)
    }
  }

  @Test(arguments: Samples.brokerMessages + [.outcome(Self.saves)])
  func `damaged frames are decoded as the library decodes them, or left to it`(
    message: BrokerMessage
  ) {
    let payload = payload(message, replyTo: 300)
    for length in payload.indices { agrees(Array(payload.prefix(length))) }
    for index in payload.indices {
      for bit in 0..<8 {
        var flipped = payload
        flipped[index] ^= 1 << bit
        agrees(flipped)
      }
    }
  }

  @Test(arguments: 0..<UInt64(TestTier.cases(200)))
  func `random frames with parts moved, repeated and left out are decoded as the library does`(
    seed: UInt64
  ) {
    var random = RandomMessages(seed: seed)
    for _ in 0..<10 {
      let message: BrokerMessage =
        random.flag() ? .changes(random.changes()) : random.brokerMessage()
      var bytes = payload(message, replyTo: random.generator.next())
      agrees(bytes)
      for _ in 0..<20 where !bytes.isEmpty {
        let start = random.below(bytes.count)
        let part = Array(bytes[start..<min(bytes.count, start + 1 + random.below(24))])
        if random.flag() { bytes.removeSubrange(start..<start + part.count) }
        if random.flag() { bytes.insert(contentsOf: part, at: random.below(bytes.count + 1)) }
        agrees(bytes)
      }
    }
  }

  @Test func `tags that do not rise are rejected with the sentence of the library's form`() {
    var changes = Samples.zoneChanges.changes
    changes.append(changes[0])
    let page = ZoneChanges(
      zone: Samples.group, incarnation: Samples.incarnation, from: Revision(41), to: Revision(46),
      scanStart: nil, changes: changes)
    let refused = #expect(throws: RefusedFrame.self) {
      try BrokerFrame(payload: payload(.changes(page), replyTo: 5))
    }
    #expect(refused?.id == 5)
    #expect(
      refused?.error.message == "The tags in a page of changes must rise within its bounds.")
  }

  /// Checks that what is decoded by hand is what SwiftProtobuf decodes.
  private func agrees(_ payload: [UInt8]) {
    guard let plain = BrokerFrame(plain: payload[...]) else { return }
    let other = try? BrokerFrame(anyForm: payload[...])
    #expect(plain == other, "\(payload)")
  }
}
