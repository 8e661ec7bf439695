// Server-sent events, however they are cut.

import Testing

@testable import ControlCommands

@Suite("B5 watch stream")
struct EventLinesTests {
  static let text =
    ": ready\n\nid: a1-7\nevent: change\ndata: {\"a\":1}\n\n:\n\ndata: x\r\ndata:y\r\n\r\n"

  static let events = [
    ServerEvent(id: "a1-7", kind: "change", content: "{\"a\":1}"),
    ServerEvent(id: "a1-7", kind: "message", content: "x\ny"),
  ]

  @Test func `events are read whole`() throws {
    var lines = EventLines()
    #expect(try lines.take(Self.text.utf8) == Self.events)
  }

  @Test func `events are read byte by byte`() throws {
    var lines = EventLines()
    var events: [ServerEvent] = []
    for byte in Self.text.utf8 { events += try lines.take([byte]) }
    #expect(events == Self.events)
  }

  @Test func `a stream is gone on with where it said to stand, or behind its last whole event`()
    throws
  {
    var lines = EventLines()
    #expect(try lines.take("id: a1-41\n: ready\n".utf8).isEmpty && lines.lastID == nil)
    #expect(try lines.take("\n".utf8).isEmpty && lines.lastID == "a1-41")
    #expect(try lines.take("id: a1-42\nevent: change\ndata: {}\n".utf8).isEmpty)
    #expect(lines.lastID == "a1-41", "it was cut off before the event was whole")
    #expect(try lines.take("\n".utf8).count == 1 && lines.lastID == "a1-42")
  }

  @Test func `a line without an end is given up`() {
    var lines = EventLines()
    let endless = [UInt8](repeating: 0x61, count: EventLines.lineBytesMax + 1)
    #expect(throws: ControlFailure.self) { try lines.take(endless) }
  }
}
