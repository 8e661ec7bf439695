// What lists and searches need of a contact, worked out once when it is written.

import Records

/// A contact as lists and searches see it.
package struct ContactProjection: Hashable, Sendable {
  /// What a list shows.
  package var displayName: String
  /// By each order but `modified`: what it is sorted by, readable; its key, compared byte by byte;
  /// the letter it stands under.
  package var orders: [ContactOrder: Sorting]
  /// Every text that a search looks in.
  package var searchText: String
  /// The digits of each phone.
  package var phoneDigits: [String]

  /// A contact's place in one order.
  package struct Sorting: Hashable, Sendable {
    /// What it is sorted by, readable.
    package var name: String
    /// The key, compared byte by byte.
    package var key: String
    /// The letter it stands under.
    package var section: String

    /// A place.
    package init(name: String, key: String, section: String) {
      self.name = name
      self.key = key
      self.section = section
    }
  }

  /// A projection.
  package init(
    displayName: String, orders: [ContactOrder: Sorting], searchText: String, phoneDigits: [String]
  ) {
    self.displayName = displayName
    self.orders = orders
    self.searchText = searchText
    self.phoneDigits = phoneDigits
  }

  /// The type of the records that are contacts.
  package static let type = RecordType(stored: "Contact")
}
