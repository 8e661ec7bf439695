// Values that are probably mistakes: they are imported unchanged, and reported.

import Contacts
import Records

enum EntryOddity {
  /// Returns a sentence about a value of a list that is implausible; `nil` otherwise.
  static func sentence(about value: String, in list: ContactList) -> String? {
    switch list {
    case .phones where !value.contains { $0.wholeNumberValue != nil }:
      "The phone “\(CardText.shown(value))” has no digit; it is kept unchanged."
    case .emails where !value.contains("@"):
      "The e-mail “\(CardText.shown(value))” has no “@”; it is kept unchanged."
    case .dates where PartialDate(value) == nil:
      "“\(CardText.shown(value))” is not a date; it is kept unchanged."
    default: nil
    }
  }
}
