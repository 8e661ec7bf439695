// One number in the forms people write it in.

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
}
