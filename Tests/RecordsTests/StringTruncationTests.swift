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
}
