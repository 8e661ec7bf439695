// How a contact is called, and which parts of its name lead. One rule for every view: the parts in
// the order the person chose, absent parts left out, the company last (or first). So a contact with
// a first name only stands among the last names, and so on (A3). What is said or written by sound
// counts before what is written, where somebody gave it: that is how names in Japanese are looked up.

import Records

/// Which part of a name leads in a list.
package enum NameOrder: String, Hashable, Sendable, CaseIterable {
  /// Last name, then first; the default.
  case last
  /// First name, then last.
  case first
  /// Company, then last and first.
  case company
}

/// What a contact is called.
package struct ContactNaming: Hashable, Sendable {
  /// What lists show: “First Last”, or the company; without either the name somebody typed, the
  /// nickname, the first e-mail or phone. Empty when there is none of them.
  package let displayName: String

  private let first: String
  private let middle: String
  private let last: String
  private let company: String

  /// Names `contact`.
  package init(_ contact: Contact) {
    let first = contact.firstName.trimmingBlanks()
    let last = contact.lastName.trimmingBlanks()
    company = contact.company.trimmingBlanks()
    self.first = Self.leading(contact.phoneticFirstName, first)
    self.last = Self.leading(contact.phoneticLastName, last)
    middle = Self.leading(contact.phoneticMiddleName, contact.middleName.trimmingBlanks())
    displayName =
      if !first.isEmpty {
        last.isEmpty ? first : first + " " + last
      } else if !last.isEmpty {
        last
      } else if !company.isEmpty {
        company
      } else {
        Self.fallback(contact)
      }
  }

  /// The parts by which the contact is sorted, the leading one first; never empty.
  package func parts(_ order: NameOrder) -> [String] {
    let all =
      switch order {
      case .last: [last, first, middle, company]
      case .first: [first, last, middle, company]
      case .company: [company, last, first, middle]
      }
    let given = all.filter { !$0.isEmpty }
    return given.isEmpty ? [displayName] : given
  }

  /// The parts to be read: “Adams Zed”.
  package func sortName(_ order: NameOrder) -> String {
    parts(order).joined(separator: " ")
  }

  private static func leading(_ phonetic: String, _ written: String) -> String {
    phonetic.isEmpty ? written : phonetic.trimmingBlanks()
  }

  private static func fallback(_ contact: Contact) -> String {
    let texts = [
      contact.displayName, contact.nickname, contact.emails.first?.value ?? "",
      contact.phones.first?.value ?? "",
    ]
    return texts.map { $0.trimmingBlanks() }.first { !$0.isEmpty } ?? ""
  }
}
