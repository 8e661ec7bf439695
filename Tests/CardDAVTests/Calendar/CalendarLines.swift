// A calendar as its readers take it apart.

import Contacts
import Records

@testable import CardDAV

/// The unfolded lines of a calendar.
struct CalendarLines {
  /// The lines as they are in the file, without their ends.
  let written: [[UInt8]]
  /// The lines without folds.
  let lines: [String]

  /// The calendar of `contacts`.
  init(of contacts: [Contact], title: String = "Birthdays: Friends") {
    var calendar = BirthdayCalendar(title: title)
    for contact in contacts {
      calendar.add(contact, modified: Timestamp(microseconds: 1_000_000_000_123_456))
    }
    calendar.finish()
    self.init(calendar.takeBytes())
  }

  init(_ bytes: [UInt8]) {
    var written: [[UInt8]] = []
    var line: [UInt8] = []
    for byte in bytes {
      line.append(byte)
      guard line.suffix(2) == [0x0D, 0x0A] else { continue }
      written.append(line.dropLast(2))
      line = []
    }
    // What has no end is a line that readers would lose.
    self.written = line.isEmpty ? written : written + [line]
    var whole: [[UInt8]] = []
    for line in self.written {
      if line.first == 0x20, let last = whole.popLast() {
        whole.append(last + line.dropFirst())
      } else {
        whole.append(line)
      }
    }
    lines = whole.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The values of the properties with this name, parameters included.
  subscript(name: String) -> [String] {
    lines.filter { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) }
  }
}

extension Contact {
  /// A contact with a name and a birthday.
  init(_ name: String, birthday: String = "", id: String = "one") {
    self.init(id: RecordName(stored: id), firstName: name)
    self.birthday = birthday
  }
}
