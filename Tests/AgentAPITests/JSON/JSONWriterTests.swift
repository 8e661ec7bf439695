import Foundation
import PredicateWorld
import Testing

@testable import AgentAPI

@Suite("C10 writing JSON")
struct JSONWriterTests {
  /// Scalars at the edges of what is escaped and of the lengths of UTF-8.
  private static let edges: [ClosedRange<UInt32>] = [
    0...0xBF, 0xC0...0xFF, 0x7F0...0x80F, 0x2028...0x2029, 0xD7F0...0xD7FF, 0xE000...0xE00F,
    0xFFF0...0x1000F, 0x1F380...0x1F38F, 0x10FFF0...0x10FFFF,
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<generator.below(20) {
      let range = generator.one(of: edges)
      let value = UInt32.random(in: range, using: &generator)
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `Foundation reads any text as it was written`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let texts = (0..<5).map { _ in Self.text(&generator) }
    var writer = JSONWriter()
    writer.open(.list)
    for text in texts { writer.value(text) }
    writer.close(.list)
    let read = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String]
    #expect(read?.map { Array($0.utf8) } == texts.map { Array($0.utf8) }, "seed \(seed)")
    let written = String(decoding: writer.bytes, as: UTF8.self).unicodeScalars
    #expect(!written.contains { $0.properties.generalCategory == .control }, "seed \(seed)")
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `the scanner reads any text as it was written`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let text = Self.text(&generator)
    var writer = JSONWriter()
    writer.value(text)
    var scanner = JSONScanner(writer.bytes)
    #expect(try Array(scanner.string().utf8) == Array(text.utf8), "seed \(seed)")
  }

  @Test func `numbers, flags and null are separated by the writer`() throws {
    var writer = JSONWriter(reservingBytes: 0)
    writer.open(.object)
    writer.key("numbers")
    writer.open(.list)
    writer.value(Int64.min)
    writer.value(UInt64.max)
    writer.value(0.1)
    writer.value(-1.5e300)
    writer.close(.list)
    writer.key("flag")
    writer.value(true)
    writer.key("none")
    writer.null()
    writer.key("empty")
    writer.open(.object)
    writer.close(.object)
    writer.close(.object)
    let text =
      #"{"numbers":[-9223372036854775808,18446744073709551615,0.1,-1.5e+300],"flag":true,"#
      + #""none":null,"empty":{}}"#
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(writer.bytes))
    }
  }
}
