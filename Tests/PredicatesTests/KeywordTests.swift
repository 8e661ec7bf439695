// Keywords in any case, and the suggestions for misspelled ones.

import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 keywords")
struct KeywordTests {
  private func keyword(_ text: String) -> Keyword? { Keyword(Array(text.utf8)[...]) }

  @Test(arguments: Keyword.allCases) func `a keyword is found in any case, and only whole`(
    keyword: Keyword
  ) {
    let text = keyword.rawValue
    for form in [
      text, text.uppercased(), text.lowercased(), text.prefix(1).uppercased() + text.dropFirst(),
    ] {
      #expect(self.keyword(form) == keyword, "\(form)")
    }
    for other in [text + "x", "x" + text, text + "_", text + "\u{0}", "\u{0}" + text] {
      #expect(self.keyword(other) != keyword, "\(other)")
    }
    #expect(keyword.text == text.uppercased())
  }

  /// The comparison ignores the bit that distinguishes the cases of a letter, also in digits and in `_`.
  @Test func `no keyword with another letter, a digit or an underscore is one`() {
    let words = Set(Keyword.allCases.map { $0.rawValue.lowercased() })
    for word in words.sorted() {
      for index in word.utf8.indices {
        for byte in UInt8(0x20)...0x7E {
          var bytes = Array(word.utf8)
          bytes[word.utf8.distance(from: word.utf8.startIndex, to: index)] = byte
          let isName = Unicode.Scalar(byte).properties.isAlphabetic || (48...57).contains(byte)
          let text = String(decoding: bytes, as: UTF8.self)
          guard isName || byte == 0x5F, !words.contains(text.lowercased()) else { continue }
          #expect(keyword(text) == nil, "\(text)")
        }
      }
    }
  }

  @Test func `operators and quantifiers have the meaning of their words`() {
    for relation in Relation.allCases {
      let isWord = relation.text.allSatisfy(\.isLetter)
      #expect(keyword(relation.text)?.relation == (isWord ? relation : nil), "\(relation)")
    }
    #expect(keyword("some")?.quantifier == Quantifier.any && keyword("any")?.quantifier == .any)
    #expect(keyword("ALL")?.quantifier == .all)
    #expect(keyword("NONE")?.quantifier == Quantifier.none)
    #expect(keyword("AND")?.quantifier == nil && keyword("AND")?.relation == nil)
  }

  @Test(arguments: [Keyword.between, .contains, .beginsWith, .endsWith, .like])
  func `a keyword with one letter more, fewer, changed or transposed is suggested`(keyword: Keyword)
  {
    let among: [Keyword] = [.between, .in, .contains, .beginsWith, .endsWith, .like]
    let letters = Array(keyword.rawValue)
    for index in letters.indices {
      var (less, more, changed, turned) = (letters, letters, letters, letters)
      less.remove(at: index)
      more.insert("q", at: index)
      changed[index] = "q"
      if index > 0 { turned.swapAt(index, index - 1) }
      for typed in [less, more, changed, turned].map({ String($0) }) {
        #expect(Keyword.near(typed.uppercased(), among: among) == keyword, "\(typed)")
      }
    }
  }

  @Test func `a word that is similar to none, or too long, has no suggestion`() {
    let among: [Keyword] = [.and, .or, .between, .contains]
    for word in ["xyz", "q", "city", "zzzzzzz", String(repeating: "contains", count: 10)] {
      #expect(Keyword.near(word, among: among) == nil, "\(word)")
    }
    #expect(Keyword.near("and", among: []) == nil)
  }
}
