// What words a text is found by.

import Testing

@testable import Collation

@Suite("C10 words")
struct WordsTests {
  private func words(_ text: String) -> [String] {
    var result = ""
    Words.shared.append(text, to: &result)
    return result.split(separator: " ").map { String($0) }
  }

  @Test(arguments: [
    ("Łukasz", "lukasz"), ("李小龙", "li"), ("Иван", "ivan"), ("Γιώργος", "giorgos"),
    ("Ørsted", "orsted"), ("Straße", "strasse"), ("ヤマダ", "yamada"), ("김", "gim"),
    ("Élodie", "elodie"), ("O'Brien", "obrien"), ("Anne-Marie", "annemarie"),
    ("小龙", "xiaolong"), ("ＡＢＣ", "abc"), ("ﬁne", "fine"), ("İzmir", "izmir"),
  ])
  func `a text is found in plain Latin letters`(text: String, word: String) {
    #expect(words(text).contains(word))
  }

  @Test(arguments: [
    ("Иван", "иван"), ("ЁЛКА", "елка"), ("李小龙", "小"), ("Łukasz", "łukasz"),
    ("a.b@example.com", "example"), ("٠٧٠", "٠٧٠"),
  ])
  func `and in its own`(text: String, word: String) {
    #expect(words(text).contains(word))
  }

  @Test func `a query is folded as a text is, and nothing is added`() {
    #expect(Words.shared.folded("ÉLODIE Łuk") == ["elodie", "łuk"])
    #expect(Words.shared.folded("小龙") == ["小", "龙"])
    #expect(Words.shared.folded(" !? ").isEmpty)
  }

  @Test func `a word without end has the Latin letters of its beginning`() {
    let latin = Words.shared.latin(of: String(repeating: "иван", count: 1000))
    #expect(latin == [String(repeating: "ivan", count: 16)])
  }

  @Test func `the beginning of a Korean syllable begins the word`() throws {
    let whole = try #require(Words.shared.folded("김철수").first)
    let begun = try #require(Words.shared.folded("기").first)
    #expect(whole.unicodeScalars.starts(with: begun.unicodeScalars))
  }

  @Test func `the scripts that are known by their ranges have letters and ideographs only there`() {
    let scalars = (UInt32(0x80)...0x9FFF).compactMap { Unicode.Scalar($0) }
    let different = scalars.filter {
      Words.kind(of: $0) != .accent && Words.kind(of: $0) != Words.kindByProperties(of: $0)
    }
    #expect(different.isEmpty)
    #expect(Words.kind(of: "я") == .part)
    #expect(Words.kind(of: "龙") == .whole)
  }

  @Test(arguments: [
    ("Tea & Co", "tea co "), ("  Al&B C-d ", "al b c d cd "), ("x", "x "), ("!", ""),
  ])
  func `words are appended with a blank after each`(text: String, words: String) {
    var result = ""
    Words.shared.append(text, to: &result)
    #expect(result == words)
  }

  @Test func `many threads get the same answers`() async {
    let names = ["Щербаков", "李小龙", "Łukasz", "Παπαδόπουλος", "김철수"]
    let expected = names.map(words)
    await withTaskGroup(of: [[String]].self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<200).flatMap { _ in names.map(words) } }
      }
      for await found in group { #expect(Array(found.suffix(5)) == expected) }
    }
  }
}
