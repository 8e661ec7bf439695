import PredicateWorld
import Testing

@testable import BrokerLinks

@Suite("R1 text of other programs")
struct PrintedTextTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `any bytes become one short line that is printed as it is`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      [0x1B], [0x20], [0x0D, 0x0A], [0xC2, 0x85], [0xFF], [0xC3], Array("word".utf8),
      Array("é".utf8), Array(repeating: 0x61, count: 90), [0x00], [0x7F],
    ]
    let bytes = (0..<generator.below(20)).flatMap { _ in generator.one(of: pieces) }
    let line = PrintedText.line(bytes)
    #expect(line.utf8.count <= 300, "seed \(seed)")
    let isPrinted = line.unicodeScalars.allSatisfy {
      $0 == " " || $0.properties.generalCategory != .control && !$0.properties.isWhitespace
    }
    #expect(isPrinted, "seed \(seed)")
    #expect(!line.contains("  ") && line.first != " ", "seed \(seed)")
    #expect(
      PrintedText.line(Array(line.utf8)) == (line.last == " " ? String(line.dropLast()) : line),
      "seed \(seed)")
  }

  @Test func `the last line is the last that says something`() {
    #expect(PrintedText.lastLine(Array("one\ntwo\n \r\n\n".utf8)) == "two")
    #expect(PrintedText.lastLine(Array("one".utf8)) == "one")
    #expect(PrintedText.lastLine([]).isEmpty)
    #expect(PrintedText.lastLine(Array(" \n\t\n".utf8)).isEmpty)
  }
}
