// The group of a contact in a card. A contact is in one group; in cards it may have any number of categories. The
// group is therefore a category of its own with a parameter: other programs see a category, and an import here
// knows which of them is the group.

import Contacts
import Records

/// The property of a card that names the group of the contact.
enum GroupMark {
  private static let parameter = "X-CONTACTS-GROUP"

  /// Whether `property` names the group of its contact.
  static func isMark(_ property: CardProperty) -> Bool {
    !property.parameters.isEmpty && property.key == "CATEGORIES"
      && property.value(of: parameter)?.isSame(as: "TRUE") == true
  }

  /// Returns the title in a mark. A comma belongs to the title, because a contact has only one group.
  static func title(of property: CardProperty) -> String {
    CardText.unescaped(property.value).trimmingBlanks()
  }

  /// Returns the mark for a group; `nil` for a title without content.
  static func property(titled title: String) -> CardProperty? {
    let written = CardText.withoutControls(CardText.withUnixLineEnds(title)).trimmingBlanks()
    guard !written.isEmpty else { return nil }
    return CardProperty(
      name: "CATEGORIES", parameters: [CardParameter(parameter, ["TRUE"])],
      value: CardText.escaped(written))
  }
}
