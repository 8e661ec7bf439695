import Contacts
import Records

/// A contact with what lists and searches need of it. Most are made before the transaction that stores the contact, on
/// another thread, because the words of its fields and its sort keys take as long as writing its rows; see
/// `ContactPreparation`.
package final class ListedContact: Sendable {
  /// The sort keys in one language, in the order of `NameOrder.allCases`.
  private struct SortKeys {
    let version: String
    let keys: [[UInt8]]
  }

  /// The name of its record.
  let record: RecordName
  /// The fields that it was made from.
  let fields: Fields
  let contact: Contact
  let name: ContactName
  /// The text that searches read; `nil` if it was not made yet.
  private let text: String?
  /// The sort keys that were made in advance.
  private let sortKeys: [SortKeys]

  /// Decodes the fields of a contact's record.
  /// - Parameter collators: The languages of the lists, to make the sort keys and the text for searches too; `nil` to make
  ///   them when they are needed.
  init(named record: RecordName, fields: Fields, sortedBy collators: [ContactCollator]? = nil) {
    self.record = record
    self.fields = fields
    contact = ContactRecord.contact(named: record, fields: fields)
    let name = ContactName(contact)
    self.name = name
    text = collators == nil ? nil : ContactSearch.text(of: contact)
    sortKeys = (collators ?? []).map {
      SortKeys(version: $0.version, keys: Self.sortKeys(of: name, by: $0))
    }
  }

  /// The text that searches read.
  var searchText: String { text ?? ContactSearch.text(of: contact) }

  /// Returns the contact's sort keys in a language, in the order of `NameOrder.allCases`.
  func sortKeys(by collator: ContactCollator) -> [[UInt8]] {
    sortKeys.first { $0.version == collator.version }?.keys
      ?? Self.sortKeys(of: name, by: collator)
  }

  /// Makes the sort keys of a name, in the order of `NameOrder.allCases`.
  static func sortKeys(of name: ContactName, by collator: ContactCollator) -> [[UInt8]] {
    NameOrder.allCases.map { collator.sortKey(of: name, $0).bytes }
  }
}
