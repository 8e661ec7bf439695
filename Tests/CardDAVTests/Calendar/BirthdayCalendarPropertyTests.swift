// Calendars of random contacts with names that are hard to carry.

import ContactCards
import Contacts
import PredicateWorld
import Records
import Testing

@testable import CardDAV

@Suite("D6 calendars of random contacts")
struct BirthdayCalendarPropertyTests {
  private static let parts =
    "abXY 01,;:\\\"'=^|-.".map { String($0) } + [
      "é", "e\u{301}", "李", "😀", "👩‍👩‍👧", "שלום", "\u{200F}", "\u{2028}", "\u{85}", "\t", "\n", "\r\n",
      "\r", "\\n", "\\,", "\u{1}", "\u{7F}", "\u{0}", "\u{FEFF}", "END:VEVENT", "BEGIN:VALARM",
    ]
  private static let dates = [
    "1984-06-05", "--02-29", "2000-02-29", "1984", "--06", "", "0001-01-01", "9999-12-31", "soon",
  ]

  private static func name(_ random: inout SeededGenerator) -> String {
    "a" + (0..<random.below(60)).map { _ in random.one(of: parts) }.joined() + "z"
  }

  @Test func `each line has 75 bytes at most, is text, and reads back`() throws {
    for seed in 1...200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let contacts = (0..<5).map { index in
        Contact(
          Self.name(&random), birthday: random.one(of: Self.dates), id: "contact \(index)")
      }
      let calendar = CalendarLines(of: contacts, title: Self.name(&random))
      for line in calendar.written {
        try #require(line.count <= 75, "seed \(seed)")
        try #require(String(validating: line, as: UTF8.self) != nil, "seed \(seed)")
        try #require(!line.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "seed \(seed)")
      }
      let expected = contacts.flatMap { contact in
        YearlyOccasion.all(of: contact).map { occasion in
          let name = ContactName(contact).displayName
          return occasion.year.map { "\(name) (born \($0))" } ?? name
        }
      }
      let read = calendar["SUMMARY"].map { CardText.unescaped($0) }
      try #require(read.map(Self.plain) == expected.map(Self.plain), "seed \(seed)")
      try #require(calendar["BEGIN"].count == 1 + expected.count, "seed \(seed)")
    }
  }

  /// The scalars of a text without what cannot be written: control characters and the kind of a line break.
  private static func plain(_ text: String) -> [UInt32] {
    CardText.written(text).unicodeScalars.map(\.value)
  }
}
