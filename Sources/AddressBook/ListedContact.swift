import Contacts
import Records

/// A contact with what lists and searches need of it. An import makes it before the transaction that stores the contact,
/// on another thread: the words of its fields take as long as writing its rows.
package struct ListedContact: Sendable {
  /// The name of its record.
  let record: RecordName
  /// The fields that it was made from.
  let fields: Fields
  let contact: Contact
  let name: ContactName
  /// The text that searches read; `nil` if it was not made yet.
  private let text: String?

  /// Decodes the fields of a contact's record.
  /// - Parameter makesText: Whether to make the text for searches, too.
  package init(named record: RecordName, fields: Fields, makesText: Bool = true) {
    self.record = record
    self.fields = fields
    contact = ContactRecord.contact(named: record, fields: fields)
    name = ContactName(contact)
    text = makesText ? ContactSearch.text(of: contact) : nil
  }

  /// The text that searches read.
  var searchText: String { text ?? ContactSearch.text(of: contact) }
}
