// The calendar of birthdays, as RFC 5545 defines it.

import Contacts
import Foundation
import Processes
import Records
import TestTiers
import Testing

@testable import CardDAV

@Suite("D6 calendar of birthdays", .timeLimit(.minutes(2)))
struct BirthdayCalendarTests {
  @Test func `a birthday is an event of a day that comes every year`() {
    let calendar = CalendarLines(of: [Contact("Cora", birthday: "1984-06-05", id: "c-1")])
    #expect(
      calendar.lines == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//contacts//birthdays//EN", "CALSCALE:GREGORIAN",
        "NAME:Birthdays: Friends", "X-WR-CALNAME:Birthdays: Friends", "BEGIN:VEVENT",
        "UID:c-1-birthday", "DTSTAMP:20010909T014640Z", "DTSTART;VALUE=DATE:19840605",
        "RRULE:FREQ=YEARLY", "SUMMARY:Cora (born 1984)", "CATEGORIES:Birthday",
        "TRANSP:TRANSPARENT", "END:VEVENT", "END:VCALENDAR",
      ])
  }

  @Test func `a birthday without a year has no year in its text`() {
    let calendar = CalendarLines(of: [Contact("Cora", birthday: "--06-05")])
    #expect(calendar["SUMMARY"] == ["Cora"])
    #expect(calendar["DTSTART;VALUE=DATE"] == ["19720605"])
  }

  @Test(arguments: [("2000-02-29", "20000229"), ("--02-29", "19720229")])
  func `a leap day is celebrated on the last day of February`(text: String, start: String) {
    let calendar = CalendarLines(of: [Contact("Lea", birthday: text)])
    #expect(calendar["DTSTART;VALUE=DATE"] == [start])
    #expect(calendar["RRULE"] == ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"])
    let before = CalendarLines(of: [Contact("Leo", birthday: "--02-28")])
    #expect(before["RRULE"] == ["FREQ=YEARLY"])
  }

  @Test func `an anniversary says what it is`() {
    var contact = Contact("Cora")
    contact.anniversary = "2010-09-18"
    var other = Contact("Ole", id: "two")
    other.anniversary = "--09-18"
    let calendar = CalendarLines(of: [contact, other])
    #expect(calendar["SUMMARY"] == ["Cora (anniversary\\, 2010)", "Ole (anniversary)"])
    #expect(calendar["CATEGORIES"] == ["Anniversary", "Anniversary"])
  }

  @Test func `the id of an event stays when the contact changes`() {
    var contact = Contact("Cora", birthday: "1984-06-05")
    contact.anniversary = "2010-09-18"
    let before = CalendarLines(of: [contact])["UID"]
    contact.firstName = "Corinna"
    contact.birthday = "1985-06-05"
    #expect(CalendarLines(of: [contact])["UID"] == before)
    #expect(Set(before).count == 2)
  }

  @Test func `a book without birthdays is a calendar without events`() {
    let calendar = CalendarLines(of: [Contact("Cora")])
    #expect(calendar.lines.first == "BEGIN:VCALENDAR")
    #expect(calendar.lines.last == "END:VCALENDAR")
    #expect(calendar["UID"].isEmpty)
  }

  @Test func `a contact without a name has a text`() {
    let contact = Contact("", birthday: "1984-06-05")
    #expect(CalendarLines(of: [contact])["SUMMARY"] == ["Unnamed contact (born 1984)"])
  }

  @Test func `years of four digits are written with four digits`() {
    for (text, start) in [("0001-01-01", "00010101"), ("9999-12-31", "99991231")] {
      let calendar = CalendarLines(of: [Contact("Old", birthday: text)])
      #expect(calendar["DTSTART;VALUE=DATE"] == [start])
    }
  }

  @Test(arguments: [
    "a\r\nEND:VEVENT\r\nBEGIN:VALARM", "x\nATTACH:http://example.org", "c\u{0}d", "\\n;,:\"",
  ])
  func `no name adds a line`(name: String) {
    let calendar = CalendarLines(of: [Contact(name, birthday: "--06-05")], title: name)
    #expect(calendar.lines.count == 16)
    #expect(calendar.lines.allSatisfy { !$0.hasPrefix("ATTACH") })
    #expect(calendar.lines.count { $0.hasPrefix("END:VEVENT") } == 1)
  }

  @Test func `the tag changes with the state and with the title`() {
    let state = SyncToken(incarnation: "a", position: 1, touches: 0)
    let tag = BirthdayCalendar.tag(title: "Friends", state: state)
    #expect(tag.wholeMatch(of: /"[0-9a-f]{24}"/) != nil)
    #expect(tag == BirthdayCalendar.tag(title: "Friends", state: state))
    #expect(tag != BirthdayCalendar.tag(title: "Family", state: state))
    let later = SyncToken(incarnation: "a", position: 2, touches: 0)
    #expect(tag != BirthdayCalendar.tag(title: "Friends", state: later))
  }

  // MARK: Another reader

  private struct Event: Codable, Equatable {
    let uid, summary, category, transparency, stamp: String
    let days: [String]
  }

  @Test(.onlyInCheck) func `vobject reads every event as it was meant`() async throws {
    var wedding = Contact("Ole", id: "ole")
    wedding.anniversary = "2025-09-18"
    let name = "Zoë, \"Ω\"; C:\\temp " + String(repeating: "長い名前", count: 30)
    let contacts = [
      Contact(name, birthday: "2023-06-05", id: "zoe"), Contact("Lea", birthday: "2024-02-29"),
      wedding,
    ]
    var calendar = BirthdayCalendar(title: "Birthdays: Friends")
    for contact in contacts { calendar.add(contact, modified: Timestamp(microseconds: 0)) }
    calendar.finish()
    let directory = try TemporaryDirectory()
    try directory.write(calendar.takeBytes(), to: "birthdays.ics")
    let tool = CardTool("../Oracle/vobject_calendar.py", nextTo: #filePath)
    let events = try await tool.run(directory.file("birthdays.ics")).split(separator: "\n").map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
    #expect(
      events.map(\.summary) == [
        "\(name) (born 2023)", "Lea (born 2024)", "Ole (anniversary, 2025)",
      ])
    #expect(events.map(\.uid) == ["zoe-birthday", "one-birthday", "ole-anniversary"])
    #expect(events.map(\.category) == ["Birthday", "Birthday", "Anniversary"])
    #expect(events.allSatisfy { $0.transparency == "TRANSPARENT" })
    #expect(events.allSatisfy { $0.stamp == "1970-01-01T00:00:00+00:00" })
    #expect(events[0].days == (2023...2030).map { "\($0)-06-05" })
    #expect(events[1].days == (2024...2030).map { "\($0)-02-\($0 % 4 == 0 ? 29 : 28)" })
    #expect(events[2].days == (2025...2030).map { "\($0)-09-18" })
  }
}
