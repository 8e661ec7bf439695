// The birthdays of a book as an iCalendar (RFC 5545). It is written contact by contact, so that the calendar of a large
// book is never in memory as a whole.

import ContactCards
import Contacts
import Crypto
import Records

/// A calendar of birthdays and anniversaries that is being written.
package struct BirthdayCalendar: Sendable {
  /// The media type of calendars, as a property. Thunderbird finds only calendars that have no parameters here.
  package static let mediaType = "text/calendar"
  /// The media type in the header of a calendar.
  package static let mediaTypeWithParameters = "\(mediaType); charset=utf-8; component=VEVENT"

  /// The version of what is written. A change of it makes clients read again.
  private static let form = 1
  private static let tagBytes = 12
  /// Stands for a year that is unknown: a leap year, which has each day, and one that all calendars can show.
  private static let yearOfUnknown = 1972

  private var bytes: [UInt8] = []

  /// Begins a calendar.
  /// - Parameter title: The title for people.
  package init(title: String) {
    add("BEGIN", "VCALENDAR")
    add("VERSION", "2.0")
    add("PRODID", "-//contacts//birthdays//EN")
    add("CALSCALE", "GREGORIAN")
    // Many programs know only the name that was in use before RFC 7986.
    for name in ["NAME", "X-WR-CALNAME"] { add(name, text: title) }
  }

  /// Returns the title of the calendar of a book.
  package static func title(ofBook title: String) -> String { "Birthdays: \(title)" }

  /// Returns the entity tag of a calendar, with its quotes.
  /// - Parameter state: The state of the book.
  package static func tag(title: String, state: SyncToken) -> String {
    let digest = SHA256.hash(data: Array("\(form)\n\(state.text)\n\(title)".utf8))
    let digits = digest.prefix(tagBytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return "\"\(digits.joined())\""
  }

  /// Removes the bytes that were written so far and returns them.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Adds an event for the birthday and for each anniversary of a contact.
  /// - Parameter modified: When the contact was last changed.
  package mutating func add(_ contact: Contact, modified: Timestamp) {
    for occasion in YearlyOccasion.all(of: contact) { add(occasion, of: contact, modified) }
  }

  /// Ends the calendar.
  package mutating func finish() { add("END", "VCALENDAR") }

  // MARK: Events

  private mutating func add(
    _ occasion: YearlyOccasion, of contact: Contact, _ modified: Timestamp
  ) {
    add("BEGIN", "VEVENT")
    // The id of a contact that moves to another book stays the same.
    add("UID", text: "\(contact.id.text)-\(occasion.word)")
    add("DTSTAMP", Self.time(modified))
    add("DTSTART;VALUE=DATE", Self.date(occasion))
    add("RRULE", Self.rule(occasion))
    add("SUMMARY", text: Self.summary(occasion, of: contact))
    add("CATEGORIES", occasion.kind == .birthday ? "Birthday" : "Anniversary")
    // Nobody is busy because of it.
    add("TRANSP", "TRANSPARENT")
    add("END", "VEVENT")
  }

  private static func rule(_ occasion: YearlyOccasion) -> String {
    // The last day of February: in common years, February 29 is celebrated on February 28, as in lists.
    let isLeapDay = (occasion.month, occasion.day) == (2, 29)
    return "FREQ=YEARLY" + (isLeapDay ? ";BYMONTH=2;BYMONTHDAY=-1" : "")
  }

  private static func summary(_ occasion: YearlyOccasion, of contact: Contact) -> String {
    let name = ContactName(contact).displayName
    let subject = name.isEmpty ? "Unnamed contact" : name
    let details =
      switch (occasion.kind, occasion.year) {
      case (.birthday, nil): ""
      case (.birthday, let year?): "born \(year)"
      case (.anniversary, nil): "anniversary"
      case (.anniversary, let year?): "anniversary, \(year)"
      }
    return details.isEmpty ? subject : "\(subject) (\(details))"
  }

  // MARK: Lines

  private mutating func add(_ name: String, text: String) {
    add(name, CardText.escaped(CardText.written(text)))
  }

  private mutating func add(_ name: String, _ value: String) {
    ContentLine.write("\(name):\(value)", to: &bytes)
  }

  private static func date(_ occasion: YearlyOccasion) -> String {
    let year = occasion.year ?? yearOfUnknown
    return digits(year, 4) + digits(occasion.month, 2) + digits(occasion.day, 2)
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Returns a time in the basic form of ISO 8601, in seconds.
  private static func time(_ time: Timestamp) -> String {
    time.description.prefix { $0 != "." && $0 != "Z" }.filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
