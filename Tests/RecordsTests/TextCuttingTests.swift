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

  @Test(.timeLimit(.minutes(1)))
  func `thousands of accents on one letter are cut as one`() {
    let odd = "b" + String(repeating: "\u{301}", count: 500_000)
    for _ in 0..<200 { #expect(odd.cut(toBytes: 4096).isEmpty) }
  }
}
