// One number in the forms people write it in.

import PredicateWorld
import Testing

@testable import Contacts

@Suite("C10 phone digits")
struct PhoneDigitsTests {
  @Test(arguments: [
    ("+46 70 174 06 10", "46701740610", "701740610"),
    ("0046 (0)70-174 06 10", "46701740610", "701740610"),
    ("070 174 06 10", "701740610", "701740610"),
    ("+1 (555) 010-0199", "15550100199", "5550100199"),
    ("+44 (0)20 7946 0103", "442079460103", "2079460103"),
    ("+358 40 123 4567", "358401234567", "401234567"),
    ("٠٧٠", "70", "70"), ("112", "112", "112"), ("none", "", ""), ("+", "", ""),
  ])
  func `what is said in writing falls away`(written: String, full: String, national: String) {
    let digits = PhoneDigits(written)
    #expect(digits.full == full)
    #expect(digits.national == national)
  }

  @Test func `a text with letters is no number, nor is one of two digits`() {
    #expect(PhoneDigits.areAll("+46 (70) 174-06.10"))
    #expect(!PhoneDigits.areAll("12"))
    #expect(!PhoneDigits.areAll("555 ext 3"))
    #expect(!PhoneDigits.areAll(""))
  }

  @Test func `a number has the same digits in every written form`() {
    for seed in 1...200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let code = random.one(of: ["1", "7", "46", "20", "98", "358", "420", "998"])
      var own = String(1 + random.below(9))
      for _ in 0..<(6 + random.below(4)) { own += String(random.below(10)) }
      func spread(_ digits: String) -> String {
        digits.map { String($0) + random.one(of: ["", "", " ", "-", ".", "/", "\u{A0}"]) }.joined()
      }
      for written in [
        "+" + spread(code) + spread(own), "00" + spread(code) + spread(own),
        " (+" + code + ") (0)" + spread(own), "+" + code + "(0)" + spread(own),
      ] {
        let digits = PhoneDigits(written)
        #expect(digits.full == code + own && digits.national == own, "\(written)")
        #expect(PhoneDigits.digits(of: written).hasSuffix(own), "\(written)")
      }
      // A zero that is not in parentheses belongs to the full digits only.
      let trunk = PhoneDigits("+" + spread(code) + "0" + spread(own))
      #expect(trunk.full == code + "0" + own && trunk.national == own, "\(code) 0 \(own)")
      for written in ["0" + spread(own), spread(own), "(0)" + spread(own)] {
        let digits = PhoneDigits(written)
        #expect(digits.full == own && digits.national == own, "\(written)")
        #expect(PhoneDigits.areAll(written) && !PhoneDigits.areAll(written + "x"), "\(written)")
      }
    }
  }
}
