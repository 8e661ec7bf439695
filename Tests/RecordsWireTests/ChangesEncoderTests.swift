import Records
import Testing

@testable import RecordsWire

@Suite("P1 changes encoded once")
struct ChangesEncoderTests {
  @Test(arguments: [Revision(12), nil])
  func `a frame of encoded changes decodes to the changes`(scanStart: Revision?) throws {
    let lineage = scanStart.map { _ in
      Lineage().continued(from: Incarnation(3), after: Revision(40))
    }
    let expected = ZoneChanges(
      zone: Samples.group, incarnation: Samples.incarnation, from: Revision(41),
      to: Revision(46), scanStart: scanStart, lineage: lineage, changes: Samples.zoneChanges.changes
    )
    var decoder = FrameDecoder()
    decoder.append(ChangesEncoder.frame(expected))
    let payload = try #require(try decoder.next())
    #expect(decoder.bufferedByteCount == 0)
    #expect(
      try BrokerFrame(payload: payload) == BrokerFrame(replyTo: 0, message: .changes(expected)))
  }

  @Test(arguments: [0, 1, 100, 126, 127, 128, 16_000, 16_383, 16_384, 1_000_000])
  func `length prefixes of every size are correct`(byteCount: Int) throws {
    let change = Samples.change(
      "a", tag: 1, fields: ["text": .bytes(Array(repeating: 1, count: byteCount))])
    let framed = ChangesEncoder.frame(
      ZoneChanges(
        zone: .standard, incarnation: Samples.incarnation, from: .zero, to: Revision(1),
        scanStart: nil, changes: [change]))
    let frame = try BrokerFrame(payload: Array(framed.dropFirst(FramePrefix.byteCount)))
    guard case .changes(let changes) = frame.message else {
      Issue.record("The frame should hold changes.")
      return
    }
    #expect(changes.changes == [change])
  }

  @Test func `an empty page only advances the receiver`() throws {
    let expected = ZoneChanges(
      zone: Samples.group, incarnation: Samples.incarnation, from: Revision(1), to: Revision(9),
      scanStart: .zero, lineage: Lineage(), changes: [])
    let framed = ChangesEncoder.frame(expected)
    let frame = try BrokerFrame(payload: Array(framed.dropFirst(FramePrefix.byteCount)))
    #expect(frame.message == .changes(expected))
  }

  @Test func `a frame filled to its limit is accepted`() throws {
    let count = 4
    let room = ChangesEncoder.changesBytesMaximum / count - ChangesEncoder.overheadBytes
    let encoded = Array(repeating: [UInt8](repeating: 0, count: room), count: count)
    let stretch = ZoneChanges(
      zone: Samples.group, incarnation: Incarnation(.max), from: Revision(.max),
      to: Revision(.max), scanStart: Revision(.max), changes: [])
    let framed = ChangesEncoder.frame(of: stretch, from: stretch.from, to: stretch.to, encoded)
    #expect(framed.count - FramePrefix.byteCount <= Limits.frameBytes)
  }

  @Test func `changes larger than a frame are split into consecutive frames`() throws {
    let large: Fields = ["text": .bytes(Array(repeating: 1, count: 1_000_000))]
    let changes = (1...10).map { Samples.change("r\($0)", tag: Int64(2 * $0), fields: large) }
    let stretch = ZoneChanges(
      zone: Samples.group, incarnation: Samples.incarnation, from: Revision(1), to: Revision(30),
      scanStart: nil, changes: changes)
    let frames = ChangesEncoder.frames(stretch)
    #expect(frames.count == 3)
    var position = stretch.from
    var found: [Change] = []
    for framed in frames {
      #expect(framed.count - FramePrefix.byteCount <= Limits.frameBytes)
      let frame = try BrokerFrame(payload: Array(framed.dropFirst(FramePrefix.byteCount)))
      guard case .changes(let part) = frame.message else {
        Issue.record("The frame should hold changes.")
        return
      }
      #expect(part.from == position)
      position = part.to
      found += part.changes
    }
    #expect(position == stretch.to)
    #expect(found == changes)
    let small = ChangesEncoder.frames(Samples.zoneChanges)
    #expect(small.count == 1)
  }
}
