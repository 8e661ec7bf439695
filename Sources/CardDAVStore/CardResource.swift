// A card as a resource: a record with the name that its clients know it by.

import CardDAV
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

  /// Whether an address can have this name.
  static func canBeName(_ name: String) -> Bool {
    name.utf8.count <= DAVPath.nameBytesMaximum && !name.contains("/")
  }

  /// Returns a text that stands for a record whose name no address can have.
  static func digest(of record: RecordName) -> String {
    var fingerprint = Fingerprint()
    fingerprint.add(record.text)
    return Identifier<CardResource>(fingerprint.value).description
  }

  private static let suffix = ".vcf"
}
