// Birthdays in the order of their next day, for dates from a seeded generator.

import AgentAPI
import ArgumentParser
import Contacts
import Foundation
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("C3 birthdays")
struct BirthdayListTests {
  @Test func `the day of a moment is that of the calendar in the user's time zone`() {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let seconds = random.below(4_102_444_800)
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(seconds)))
      let day = CalendarDay(of: seconds)
      #expect(
        [day.year, day.month, day.day] == [parts.year, parts.month, parts.day], "seed \(seed)")
    }
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDay {
    CalendarDay(year: year, month: month, day: day)
  }

  private static func item(_ id: String, _ birthday: String?) -> ContactPages.Item {
    var line = ContactItem.Line()
    (line.id, line.birthday) = (id, birthday)
    return (line, Array(#"{"id":"\#(id)"}"#.utf8))
  }

  @Test(
    arguments: [
      ("--06-05", day(2026, 6, 5), "2026-06-05"), ("--06-05", day(2026, 6, 6), "2027-06-05"),
      ("1984-12-31", day(2026, 1, 1), "2026-12-31"),
      ("1984-01-01", day(2026, 12, 31), "2027-01-01"),
      ("2000-02-29", day(2026, 1, 1), "2026-02-28"), ("--02-29", day(2026, 2, 28), "2026-02-28"),
      ("--02-29", day(2027, 3, 1), "2028-02-29"), ("--02-29", day(2028, 2, 28), "2028-02-29"),
      ("2000-02-29", day(2028, 3, 1), "2029-02-28"),
    ])
  func `the next birthday is today or later, and February 28 for February 29 in a common year`(
    birthday: String, today: CalendarDay, next: String
  ) throws {
    let date = try #require(PartialDate(birthday))
    #expect(BirthdayList.next(date, from: today)?.text == next)
  }

  @Test(arguments: ["1984", "1984-06", "--06", "---05"])
  func `a birthday without a month or a day is not in the list`(birthday: String) throws {
    let items = [Self.item("a", birthday), Self.item("b", nil), Self.item("c", "spring")]
    #expect(BirthdayList.sorted(items, from: Self.day(2026, 1, 1)).isEmpty)
  }

  @Test
  func `every birthday is within the next year, sorted, and contacts of a day keep their order`()
    throws
  {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let today = Self.day(1990 + random.below(60), 1 + random.below(12), 1 + random.below(28))
      let items = (0..<20).map { number in
        let date = PartialDate(
          year: random.percent(50) ? 1904 + 4 * random.below(20) : nil, month: 1 + random.below(12),
          day: 1 + random.below(29))
        return Self.item("\(number)", date?.description)
      }
      let list = BirthdayList.sorted(items, from: today)
      #expect(list.count == items.filter { $0.line.birthday != nil }.count, "seed \(seed)")
      let end = Self.day(today.year + 1, today.month, today.day)
      #expect(list.allSatisfy { $0.next >= today && $0.next <= end }, "seed \(seed)")
      for (left, right) in zip(list, list.dropFirst()) {
        let numbers = (Int(left.item.line.id) ?? -1, Int(right.item.line.id) ?? -1)
        #expect(
          left.next < right.next || left.next == right.next && numbers.0 < numbers.1,
          "seed \(seed)")
      }
    }
  }

  @Test func `the JSON of a birthday has its next day beside the contact's own members`() throws {
    let list = BirthdayList.sorted([Self.item("a", "--06-05")], from: Self.day(2026, 6, 5))
    let text = String(decoding: try #require(list.first).json, as: UTF8.self)
    #expect(text == #"{"nextBirthday":"2026-06-05","id":"a"}"#)
  }

  @Test(
    arguments: [
      ["list", "--birthdays", "--sort", "first"], ["list", "--birthdays", "--by", "group"],
    ])
  func `birthdays have an order of their own`(line: [String]) async {
    await #expect(throws: (any Error).self) { try await Contactsctl.asyncParseAsRoot(line) }
  }

  @Test func `a list takes words and flags together`() async throws {
    let line = ["list", "ada", "quill", "--emergency", "--birthdays", "--group", "G", "-n", "3"]
    let command = try #require(try await Contactsctl.asyncParseAsRoot(line) as? ListCommand)
    #expect(command.text == ["ada", "quill"])
    #expect(command.emergency && command.birthdays)
  }

  @Test func `a page is filtered without changing the bytes of its contacts`() throws {
    let page = #"{"schema":1,"contacts":[{"id":"a","emergency":true,"x":[1, 2]},{"id":"b"}]}"#
    let items = try ContactsView.items(ofPage: Array(page.utf8)) { $0.emergency }
    #expect(items.map(\.line.id) == ["a"])
    let json = items.map { String(decoding: $0.json, as: UTF8.self) }
    #expect(json == [#"{"id":"a","emergency":true,"x":[1, 2]}"#])
  }
}
