// What lists and searches need of a contact depends on its record and the language of the lists alone. An import and a
// first sync therefore make it on another thread while the device stores the contacts before, and announce it to the
// address book with `AddressBook.expect`.

import Collation
import Contacts
import DeviceStore
import Records

/// Makes contacts ready to be stored, on any thread.
package struct ContactPreparation: Sendable {
  private let collators: [ContactCollator]

  /// A preparation for lists in this language.
  package init(language: Language) {
    collators = [.of(language)]
  }

  /// A preparation for the lists of a device, and for those that are being made. If the language changes meanwhile, the
  /// transaction that stores a contact makes its sort keys.
  init(_ ordering: OrderingRow) {
    collators = ordering.generations.map(\.ordering)
  }

  /// Returns a contact with its sort keys and its text for searches.
  package func contact(named name: RecordName, fields: Fields) -> ListedContact {
    ListedContact(named: name, fields: fields, sortedBy: collators)
  }

  /// Returns the contacts among decoded records.
  func contacts(among records: [DecodedRecord]) -> ListedContacts {
    ListedContacts(
      records.lazy.filter { $0.type == ContactRecord.type }
        .map { contact(named: $0.name, fields: $0.fields) })
  }
}

/// Contacts that a transaction will probably store.
package struct ListedContacts: Sendable {
  private let byName: [RecordName: ListedContact]

  /// Contacts by the names of their records. Of several with one name, the last one counts.
  package init(_ contacts: some Sequence<ListedContact>) {
    byName = Dictionary(contacts.map { ($0.record, $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the contact of a record; `nil` unless it was made from these fields.
  func contact(named name: RecordName, fields: Fields) -> ListedContact? {
    // Equal arrays are found out at once where they are the same one.
    guard let found = byName[name], found.fields == fields else { return nil }
    return found
  }
}

extension DeviceReader {
  /// Returns the preparation for the lists of this device.
  /// - Throws: `StoreError`.
  package func contactPreparation() throws -> ContactPreparation {
    try read { try OrderingRow.load($0) }.map { ContactPreparation($0) }
      ?? ContactPreparation(language: .neutral)
  }
}
