// Lines against a plain split of the whole text.

import PredicateWorld
import Testing

@testable import ContactCards

@Suite("A2 lines of files")
struct LineReaderTests {
  private func lines(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [String] {
    var reader = LineReader()
    var lines: [String] = []
    func add(_ line: [UInt8], _ number: Int, _ isCut: Bool) {
      lines.append("\(number) " + String(decoding: line, as: UTF8.self) + (isCut ? " cut" : ""))
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = 1 + random.below(6)
      reader.feed(rest.prefix(count), add)
      rest = rest.dropFirst(count)
    }
    reader.finish(add)
    return lines
  }

  /// The lines of a text, numbered; a line end at its end begins no other line.
  private func plainLines(_ text: String) -> [String] {
    var lines: [String.UnicodeScalarView] = [.init()]
    for scalar in withUnixEnds(text).unicodeScalars {
      if scalar == "\n" { lines.append(.init()) } else { lines[lines.count - 1].append(scalar) }
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.enumerated().map { "\($0 + 1) " + String($1) }
  }

  private func text(_ random: inout SeededGenerator) -> String {
    let parts = ["\r", "\n", "\r\n", "a", "é", "李", "😀", " ", "\u{2028}", "\u{85}"]
    // At least four bytes, and no mark: the form of a file is decided by its beginning.
    return "text" + (0..<random.below(30)).map { _ in random.one(of: parts) }.joined()
  }

  @Test func `lines end with CR, LF or both, in chunks of any size`() {
    for seed in 1...300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = text(&random)
      #expect(lines(Array(text.utf8), &random) == plainLines(text), "seed \(seed)")
      let marked = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
      #expect(lines(marked, &random) == plainLines(text), "seed \(seed)")
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `UTF-16 has the same lines`(isLittle: Bool, hasMark: Bool) {
    for seed in 1...60 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = text(&random)
      let units = (hasMark ? [0xFEFF] : []) + Array(text.utf16)
      let bytes = units.flatMap { unit -> [UInt8] in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isLittle ? [low, high] : [high, low]
      }
      #expect(lines(bytes, &random) == plainLines(text), "seed \(seed)")
    }
  }

  @Test(arguments: ["", "a", "ab", "a\n", "\n", "\r\n", "abc", "\u{FEFF}", "\u{FEFF}a"])
  func `a file of fewer than four bytes is read at its end`(text: String) {
    var random = SeededGenerator(seed: 1)
    let rest = String(text.unicodeScalars.drop { $0 == "\u{FEFF}" })
    #expect(lines(Array(text.utf8), &random) == plainLines(rest))
  }
}
