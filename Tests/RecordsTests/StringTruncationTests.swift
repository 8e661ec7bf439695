import PredicateWorld
import Records
import Testing

@Suite("texts truncated to a byte count")
struct StringTruncationTests {
  @Test func `a text is truncated after a complete character`() {
    #expect("Ann".cut(toBytes: 3) == "Ann")
    #expect(String(repeating: "x", count: 1_000_000).cut(toBytes: 4096).utf8.count == 4096)
    #expect("aéé".cut(toBytes: 4) == "aé")
    #expect("a👩‍👩‍👧b".cut(toBytes: 12) == "a")
    #expect("ae\u{301}\u{302}".cut(toBytes: 4) == "a")
    #expect("é".cut(toBytes: 1).isEmpty)
  }

  @Test func `a letter with thousands of accents is truncated as one character`() {
    let odd = "b" + String(repeating: "\u{301}", count: 50_000)
    #expect(odd.cut(toBytes: 4096).isEmpty)
    #expect("\(odd)".cut(toBytes: 40_000).isEmpty)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `the longest beginning of whole characters that fits is what remains`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let text = random.text(upTo: 8)
    for count in 0...text.utf8.count + 1 {
      var expected = ""
      for character in text {
        guard expected.utf8.count + String(character).utf8.count <= count else { break }
        expected.append(character)
      }
      #expect(text.cut(toBytes: count).hasSameBytes(as: expected), "seed \(seed), \(count) bytes")
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `blanks are removed at both ends and nowhere else`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let pieces = [
      "a", " ", "\t", "\r\n", "\u{A0}", "\u{2003}", "é", "\u{301}", "\u{85}", "À", "ж", "\u{680}",
      "\u{7FF}",
      "\u{1680}", "\u{3000}", "李", "🎉",
    ]
    let text = (0..<random.generator.below(7)).map { _ in random.generator.one(of: pieces) }
      .joined()
    var expected = Array(text.unicodeScalars)
    while expected.last?.properties.isWhitespace == true { expected.removeLast() }
    while expected.first?.properties.isWhitespace == true { expected.removeFirst() }
    #expect(Array(text.trimmingBlanks().unicodeScalars) == expected, "seed \(seed)")
    #expect(Array(text.dropFirst(0).trimmingBlanks().unicodeScalars) == expected, "seed \(seed)")
  }
}
