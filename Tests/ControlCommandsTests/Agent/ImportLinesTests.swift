// Streams of the agent, however the connection splits them.

import PredicateWorld
import Testing

@testable import ControlCommands

/// Splits bytes at random places.
private func split(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
  var pieces: [[UInt8]] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = min(rest.count, random.below(9))
    pieces.append(Array(rest.prefix(count)))
    rest = rest.dropFirst(count)
  }
  return pieces
}

@Suite("lines of a report under random splits")
struct LineCutterTests {
  @Test func `a stream is cut into its lines, wherever it is split`() throws {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let lines = (0..<random.below(8)).map { _ in
        random.text(of: RandomTexts.visible + ["\r", "\u{0}", "\u{2028}", "{}"], upTo: 8)
      }
      let bytes = lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
      var cutter = LineCutter()
      var cut: [[UInt8]] = []
      for piece in split(bytes, &random) { cut += try cutter.take(piece) }
      #expect(cut == lines.map { Array($0.utf8) }, "seed \(seed)")
    }
  }

  @Test func `a line without an end is not taken, and its end completes it`() throws {
    var cutter = LineCutter()
    #expect(try cutter.take(Array("a\nhal".utf8)) == [Array("a".utf8)])
    #expect(try cutter.take([]).isEmpty)
    #expect(try cutter.take(Array("f\n\n".utf8)) == [Array("half".utf8), []])
  }

  @Test func `a line longer than the limit is an error, in one piece or in many`() throws {
    let megabyte = [UInt8](repeating: 0x61, count: 1 << 20)
    var cutter = LineCutter()
    for _ in 0..<4 { #expect(try cutter.take(megabyte).isEmpty) }
    let error = #expect(throws: ControlFailure.self) { try Self.take([0x61], &cutter) }
    #expect(error?.code == "limitExceeded")
  }

  private static func take(_ bytes: [UInt8], _ cutter: inout LineCutter) throws {
    _ = try cutter.take(bytes)
  }
}

@Suite("B5 events under random splits")
struct EventLinesPropertyTests {
  /// A random stream, and the events that it means.
  private struct RandomStream {
    var text = ""
    var events: [ServerEvent] = []

    init(_ random: inout SeededGenerator) {
      var id: String?
      for _ in 0..<random.below(8) {
        let end = random.percent(30) ? "\r\n" : "\n"
        let blank = random.percent(70) ? " " : ""
        if random.percent(20) { text += ": comment\(end)" }
        if random.percent(60) {
          let next = "a1-\(random.below(1000))"
          id = next
          text += "id:\(blank)\(next)\(end)"
        }
        var kind = "message"
        if random.percent(60) {
          kind = random.one(of: ["change", "reset", "notification"])
          text += "event:\(blank)\(kind)\(end)"
        }
        if random.percent(10) { text += "retry: 5\(end)unknown\(end):\(end)" }
        let data = (0..<random.below(4)).map { _ in
          "d" + random.words(upTo: 6).replacing("\n", with: "")
        }
        for line in data { text += "data:\(blank)\(line)\(end)" }
        text += end
        guard !data.isEmpty else { continue }
        events.append(ServerEvent(id: id, kind: kind, content: data.joined(separator: "\n")))
      }
    }
  }

  @Test func `the events are the same wherever the stream is split`() throws {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let stream = RandomStream(&random)
      var lines = EventLines()
      var events: [ServerEvent] = []
      for piece in split(Array(stream.text.utf8), &random) { events += try lines.take(piece) }
      #expect(events == stream.events, "seed \(seed): \(stream.text)")
      if let last = stream.events.last?.id { #expect(lines.lastID != nil, "seed \(seed): \(last)") }
    }
  }

  @Test func `of a stream that breaks, whole events are read and resumed after`() throws {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let stream = RandomStream(&random)
      let bytes = Array(stream.text.utf8)
      let broken = bytes.prefix(random.below(bytes.count + 1))
      var lines = EventLines()
      let events = try lines.take(broken)
      #expect(events == Array(stream.events.prefix(events.count)), "seed \(seed)")
      // What follows the break is read as if it had come at once.
      let rest = try lines.take(bytes.dropFirst(broken.count))
      #expect(events + rest == stream.events, "seed \(seed)")
    }
  }

  @Test func `no bytes bring the reader down`() throws {
    let parts =
      ["data:", "data", "id:", "event:", ":", "x", " ", "\n", "\n\n", "\r", "é"].map {
        Array($0.utf8)
      } + [[0xFF], [0xC3], [0]]
    var count = 0
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      var lines = EventLines()
      let bytes = (0..<60).flatMap { _ in random.one(of: parts) }
      for event in try lines.take(bytes) {
        count += 1
        #expect(!event.kind.utf8.contains(0x0A), "seed \(seed)")
        #expect(event.id?.utf8.contains(0x0A) != true, "seed \(seed)")
      }
    }
    #expect(count > 50)
  }
}
