// Headings in the languages and scripts that names come in.

import Testing

@testable import Collation

@Suite("A3 sections")
struct SectionsTests {
  private func labels(_ names: [String], _ language: String) -> [String] {
    let sections = Sections(Collator(Language(language)))
    return names.map { sections.label(of: sections.place(of: $0).place) }
  }

  @Test func `each language has the letters of its own indexes`() {
    let names = ["Åberg", "Ärlig", "Öst", "Zorn", "Chalupa", "Łukasz"]
    #expect(labels(names, "sv_SE") == ["Å", "Ä", "Ö", "Z", "C", "L"])
    #expect(labels(names, "en_US") == ["A", "A", "O", "Z", "C", "L"])
    #expect(labels(names, "cs_CZ") == ["A", "A", "O", "Z", "CH", "L"])
    #expect(labels(names, "pl_PL") == ["A", "A", "O", "Z", "C", "Ł"])
    #expect(labels(["Ørsted", "Åse", "Æbelø"], "da_DK") == ["Ø", "Å", "Æ"])
  }

  @Test(arguments: ["en_US", "sv_SE", "C", "ru_RU"])
  func `other scripts have headings of their own`(language: String) {
    let names = ["Иван", "Ёлкин", "Ωμέγα", "אבא", "محمد", "김철수", "やまだ", "ヤマダ", "ანა"]
    let expected = ["И", "Ё", "Ω", "א", "م", "ㄱ", "や", "や", "ა"]
    let labels = labels(names, language)
    #expect(labels.count == expected.count)
    for (label, heading) in zip(labels, expected) where heading != "Ё" {
      #expect(label == heading, "\(language)")
    }
  }

  @Test func `Chinese characters stand by their reading where the language has one`() {
    #expect(labels(["李小龙", "王", "Li"], "zh_CN") == ["L", "W", "L"])
    #expect(labels(["李小龙", "王"], "en") == ["漢", "漢"])
    #expect(labels(["山田"], "ja_JP") == ["漢"])
    #expect(labels(["王"], "zh_TW") == ["4劃"])
  }

  @Test func `what begins with no letter stands under #, marks before a letter do not count`() {
    #expect(
      labels(["4th Street", "🎉", "", "…", "(Adams)", "'t Hooft", "🎉 Zoë"], "en")
        == ["#", "#", "#", "#", "A", "T", "Z"])
  }

  @Test func `a letter of a script without index heads its names`() {
    #expect(labels(["ⴰⵎⴰⵣⵉⵖ"], "en") == ["ⴰ"])
  }

  @Test(arguments: ["en", "sv", "cs", "ru", "zh", "zh_TW", "ja", "ko", "hu", "C"])
  func `in the order of places the same heading never comes twice`(language: String) {
    let collator = Collator(Language(language))
    let sections = Sections(collator)
    var names = ["Chalupa", "Dzs", "李", "ゑ", "Ґ"]
    for number in UInt32(0x20)...0x24F {
      let values: [UInt32] = [number, 0x370 + number, 0x4E00 + 7 * number, 0xAC00 + 19 * number]
      names += values.compactMap { Unicode.Scalar($0).map { String($0) } }
    }
    let places = names.map { name in
      let (place, text) = sections.place(of: name)
      return (place: place, key: collator.key([text]))
    }
    let sorted = places.sorted {
      $0.place == $1.place ? $0.key.lexicographicallyPrecedes($1.key) : $0.place < $1.place
    }
    var seen: [String] = []
    for entry in sorted where seen.last != sections.label(of: entry.place) {
      seen.append(sections.label(of: entry.place))
    }
    #expect(Set(seen).count == seen.count, "\(seen)")
  }
}
