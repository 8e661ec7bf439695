import Records
import Testing

@Suite("texts cut to so many bytes")
struct TextCuttingTests {
  @Test func `what fits stays, what does not is cut at a character`() {
    #expect("Ann".cut(toBytes: 3) == "Ann")
    #expect(String(repeating: "x", count: 1_000_000).cut(toBytes: 4096).utf8.count == 4096)
    #expect("aéé".cut(toBytes: 4) == "aé")
    #expect("a👩‍👩‍👧b".cut(toBytes: 12) == "a")
    #expect("ae\u{301}\u{302}".cut(toBytes: 4) == "a")
    #expect("é".cut(toBytes: 1).isEmpty)
  }

  @Test func `thousands of accents on one letter are cut as one`() {
    let odd = "b" + String(repeating: "\u{301}", count: 50_000)
    #expect(odd.cut(toBytes: 4096).isEmpty)
    #expect("\(odd)".cut(toBytes: 40_000).isEmpty)
  }
}
