// The days of a contact that come every year.

import Contacts
import Records

/// A birthday or an anniversary.
struct YearlyOccasion: Hashable, Sendable {
  /// What is celebrated.
  enum Kind: String, Hashable, Sendable {
    case birthday, anniversary
  }

  /// What is celebrated.
  let kind: Kind
  /// A word that no other occasion of the contact has, and that the occasion keeps.
  let word: String
  /// The year in which it began; `nil` if it is unknown.
  let year: Int?
  let month: Int
  let day: Int

  private init?(_ kind: Kind, _ word: String, _ date: String) {
    // A date without a month or a day does not say when to celebrate.
    guard let date = PartialDate(date), let month = date.month, let day = date.day else {
      return nil
    }
    (self.kind, self.word, self.year, self.month, self.day) = (kind, word, date.year, month, day)
  }

  /// Returns the occasions of `contact`: its birthday, its anniversary, and dates labeled as one, as other programs
  /// store it.
  static func all(of contact: Contact) -> [YearlyOccasion] {
    var all = [
      YearlyOccasion(.birthday, Kind.birthday.rawValue, contact.birthday),
      YearlyOccasion(.anniversary, Kind.anniversary.rawValue, contact.anniversary),
    ].compactMap(\.self)
    for date in contact.dates where date.label.lowercased() == Kind.anniversary.rawValue {
      guard let occasion = YearlyOccasion(.anniversary, date.id.description, date.value),
        !all.contains(where: { $0.isSameDay(as: occasion) })
      else { continue }
      all.append(occasion)
    }
    return all
  }

  private func isSameDay(as other: YearlyOccasion) -> Bool {
    kind == other.kind && (year, month, day) == (other.year, other.month, other.day)
  }
}
