// A card as a resource: a record with the name that its clients know it by.

import Contacts
import Foundation
import Records

/// A card of a book, without its content.
package struct CardResource: Hashable, Sendable {
  /// The record.
  package let id: RecordID
  /// The number of the record's row.
  package let row: Int64
  /// The version of the record: the number of the event of its last change.
  package let version: Int64
  /// Whether it is a group and not a contact.
  package let isGroup: Bool
  /// The name in the address.
  package let name: String
  /// The entity tag, with its quotes. It changes with each change of the card's bytes.
  package let tag: String

  /// The name of a card that no client has named.
  static func defaultName(of record: RecordName) -> String { record.text + suffix }

  /// Returns the record that a card has if no client has named it; `nil` if no record can have it.
  static func record(defaultName name: String) -> RecordName? {
    guard name.hasSuffix(suffix) else { return nil }
    return RecordName(stored: String(name.dropLast(suffix.count)))
  }

  private static let suffix = ".vcf"
}
