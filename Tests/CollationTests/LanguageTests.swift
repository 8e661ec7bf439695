// How people name a language, in their environment and on the web.

import Testing

@testable import Collation

@Suite("A3 the language of lists")
struct LanguageTests {
  @Test(arguments: [
    ("sv_SE.UTF-8", "sv-SE"), ("sv-SE", "sv-SE"), ("de_DE@euro", "de-DE"), ("pl", "pl"),
    ("sr_RS@latin", "sr-Latn-RS"), ("de-u-co-phonebk", "de-u-co-phonebk"), ("zh_TW", "zh-TW"),
  ])
  func `a language is read in every way it is written`(text: String, tag: String) {
    #expect(Language(text).description == tag)
    #expect(Language(Language(text).description) == Language(text))
  }

  @Test(arguments: [
    "", "C", "POSIX", "C.UTF-8", "und", "../../etc", "😀", String(repeating: "a", count: 99),
  ])
  func `what names no language means none in particular`(text: String) {
    #expect(Language(text) == .neutral)
    #expect(Language(text).description == "und")
  }
}
