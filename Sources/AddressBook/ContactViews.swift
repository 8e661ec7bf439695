// What an address book tells its callers: plain values, safe to pass between tasks.

import Collation
import Contacts
import DeviceStore
import Records

/// How a list of contacts is sorted.
package enum ContactOrder: String, Hashable, Sendable, CaseIterable {
  /// Last name, then first; with no last name the first; with neither the company. The default.
  case last
  /// First name, then last; then as above.
  case first
  /// Company, then last name, then first.
  case company
  /// The latest change first.
  case modified
}

/// Which contacts to list.
package struct ContactQuery: Hashable, Sendable {
  /// The order.
  package var order: ContactOrder
  /// Only this group's.
  package var zone: ZoneID?
  /// Only those in which each of these words begins a word, in any order, accents and case
  /// ignored; digits find phones in any written form.
  package var text: String?
  /// Where the page before ended (`ContactPage.next`).
  package var cursor: String?
  /// The language to sort by; `nil`, and any in a large address book, is the device's own.
  package var language: Language?
  /// The most rows a page has: 1 to 1000.
  package var limit: Int
  /// The fields to read besides those of the names; `nil` for all.
  package var fields: Set<FieldKey>?

  /// A query for all contacts by last name.
  package init(
    order: ContactOrder = .last, zone: ZoneID? = nil, text: String? = nil, cursor: String? = nil,
    language: Language? = nil, limit: Int = 1000
  ) {
    self.language = language
    self.order = order
    self.zone = zone
    self.text = text
    self.cursor = cursor
    self.limit = limit
  }
}

/// A contact in a list.
package struct ContactRow: Hashable, Sendable {
  /// The record, with the requested fields.
  package let record: RecordView
  /// What the record says.
  package let contact: Contact
  let name: ContactName
  let naming: NameOrder
  /// The letter it stands under.
  package let sectionKey: String
  /// Its place in the whole list of this query, from 0; `nil` of a contact by itself.
  package let sortIndex: Int?

  /// What the list shows.
  package var displayName: String { name.displayName }
  /// Returns what the list shows if composed names have their parts in `order`.
  package func displayName(in order: NameParts.Order) -> String {
    guard order != .givenFamily, name.isComposed else { return displayName }
    return NameParts { contact[$0] }.composed(in: order)
  }

  /// What the list is sorted by, readable.
  package var sortName: String { name.sortName(naming) }
}

/// The end of a page of contacts.
package struct ContactPageEnd: Hashable, Sendable {
  /// The cursor of the next page; `nil` at the end of the list.
  package let next: String?
  /// The language by which the list is sorted.
  package let language: Language
}

/// A page of contacts.
package struct ContactPage: Hashable, Sendable {
  /// The contacts, sorted.
  package let rows: [ContactRow]
  /// What to ask the next page with; `nil` at the end.
  package let next: String?
  /// The language it is sorted by.
  package let language: Language
}
