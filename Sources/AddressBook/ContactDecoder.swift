import Contacts
import DeviceStore
import Records

/// A contact of a page as it is stored.
struct StoredContact: Sendable {
  let record: StoredRecord
  /// The bytes by which it is sorted by name; `nil` in a list by date.
  let place: [UInt8]?
  /// Its place in the whole list.
  let index: Int
}

/// Makes the rows of a list from what is stored. Any number of threads can do so at the same time.
struct ContactDecoder: Sendable {
  let records: StoredRecordDecoder
  let ordering: ContactCollator
  let order: ContactOrder

  /// Returns the row of a contact.
  /// - Throws: `RecordsError` if its record is damaged.
  func row(_ stored: StoredContact) throws -> ContactRow {
    let view = try records.view(stored.record)
    let contact = ContactRecord.contact(named: view.id.name, fields: view.fields)
    let name = ContactName(contact)
    let place = stored.place ?? ordering.sortKey(of: name, .last).bytes
    return ContactRow(
      record: view, contact: contact, name: name, naming: order.naming,
      sectionKey: ordering.label(ofSection: ContactSortKey.section(of: place)),
      sortIndex: stored.index)
  }
}
