// How a contact is called, where it stands in a list and under which letter. One rule for every
// view: the parts of a name in the order the person chose, absent parts left out, the company last
// (or first). So a contact with a last name only stands among the last names, and so on (A3).

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

/// What a contact is called and where it stands.
package struct ContactNaming: Hashable, Sendable {
  /// What the list shows: “First Last”, or the company; else the first e-mail or phone.
  package let displayName: String
  /// The parts by which it is sorted, to be read: “Adams Zed”.
  package let sortName: String
  /// What is compared, byte by byte: folded parts, so that a shorter last name comes before a
  /// longer one whatever the first names are; entries under “#” come behind the letters.
  package let sortKey: String
  /// The letter it stands under, upper case, or `#`.
  package let sectionKey: String

  /// Names `contact` for a list led by `order`.
  package init(_ contact: Contact, order: NameOrder = .last) {
    let first = contact.firstName.trimmingBlanks()
    let last = contact.lastName.trimmingBlanks()
    let company = contact.company.trimmingBlanks()
    let parts = Self.parts(first: first, last: last, company: company, order: order)
    let full = [first, last].filter { !$0.isEmpty }.joined(separator: " ")
    let fallback = contact.emails.first?.value ?? contact.phones.first?.value ?? ""
    let shown = [full, company, fallback].first { !$0.isEmpty } ?? ""
    let folded = (parts.isEmpty ? [shown] : parts).map { $0.folded() }
    let letter = Self.letter(of: folded[0])
    displayName = shown
    sortName = parts.isEmpty ? shown : parts.joined(separator: " ")
    sortKey = (letter == nil ? "\u{2}" : "\u{1}") + folded.joined(separator: "\u{1}")
    sectionKey = letter ?? "#"
  }

  private static func parts(
    first: String, last: String, company: String, order: NameOrder
  ) -> [String] {
    let all =
      switch order {
      case .last: [last, first, company]
      case .first: [first, last, company]
      case .company: [company, last, first]
      }
    return all.filter { !$0.isEmpty }
  }

  private static func letter(of folded: String) -> String? {
    guard let first = folded.first, first.isLetter else { return nil }
    let letter = first.uppercased()
    // NB: “ß” becomes “SS”; a section is one letter.
    return letter.first.map { String($0) }
  }
}
