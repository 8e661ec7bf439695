// The name of a contact, for display and for sorting. A display name is shown as it was written: only its author knows
// whether the family name comes first. Sorting has one rule: the parts in the order that the person chose, without absent
// parts, the company last (or first). A contact with only a first name is therefore sorted among the last names (A3). A
// phonetic name takes precedence over the written one, because that is how Japanese names are looked up.

import Records

/// The part of a name that leads in a list.
package enum NameOrder: String, Hashable, Sendable, CaseIterable {
  /// Last name, then first; the default.
  case last
  /// First name, then last.
  case first
  /// Company, then last and first.
  case company
}

/// The name of a contact.
package struct ContactName: Hashable, Sendable {
  /// The name in lists: the display name as written, or the parts of the name, or the company; without any the nickname,
  /// the first e-mail address or phone number. Empty if the contact has none of these.
  package let displayName: String

  /// Whether the display name is composed of the parts of the name.
  package let isComposed: Bool

  /// The fields of a record on which the name of its contact depends.
  package static let fields: Set<FieldKey> = {
    let texts: [ContactText] = [
      .displayName, .phoneticFirstName, .phoneticMiddleName, .phoneticLastName, .nickname, .company,
    ]
    return Set(
      (texts + NameParts.properties).map(\.key) + [ContactList.phones.key, ContactList.emails.key])
  }()

  private let first: String
  private let middle: String
  private let last: String
  private let company: String
  /// Whether the contact is to be listed as its company, although it may name a person.
  private let isCompany: Bool

  /// Determines the name of `contact`.
  package init(_ contact: Contact) {
    let first = contact.firstName.trimmingBlanks()
    let last = contact.lastName.trimmingBlanks()
    company = contact.company.trimmingBlanks()
    self.first = Self.leading(contact.phoneticFirstName, first)
    self.last = Self.leading(contact.phoneticLastName, last)
    middle = Self.leading(contact.phoneticMiddleName, contact.middleName.trimmingBlanks())
    let parts = NameParts { contact[$0] }
    let whole = contact.displayName.trimmingBlanks()
    isComposed = !parts.isEmpty && (whole.isEmpty || parts.isInverted(whole))
    displayName =
      if isComposed {
        parts.composed
      } else if !whole.isEmpty {
        whole
      } else {
        company.isEmpty ? Self.fallback(contact) : company
      }
    isCompany = !company.isEmpty && whole == company
  }

  /// Returns the parts by which the contact is sorted, the leading one first; never empty.
  package func parts(_ order: NameOrder) -> [String] {
    var person = order == .first ? [first, last, middle] : [last, first, middle]
    if person.allSatisfy(\.isEmpty), displayName != company { person = [displayName] }
    let all = order == .company || isCompany ? [company] + person : person + [company]
    let given = all.filter { !$0.isEmpty }
    return given.isEmpty ? [displayName] : given
  }

  /// Returns the parts as one text: “Adams Zed”.
  package func sortName(_ order: NameOrder) -> String {
    parts(order).joined(separator: " ")
  }

  private static func leading(_ phonetic: String, _ written: String) -> String {
    let said = phonetic.trimmingBlanks()
    return said.isEmpty ? written : said
  }

  private static func fallback(_ contact: Contact) -> String {
    let texts = [
      contact.nickname, contact.emails.preferredFirst.first?.value ?? "",
      contact.phones.preferredFirst.first?.value ?? "",
    ]
    return texts.map { $0.trimmingBlanks() }.first { !$0.isEmpty } ?? ""
  }
}
