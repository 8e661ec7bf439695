// Compares what is searched with what is shown. The two are stored in different places of the file: where they differ,
// one of them was damaged.

import Contacts
import DeviceStore
import GRDB
import Records
import SQLiteFile

extension AddressBook {
  /// Returns which contacts differ from the search index, a sentence each. Reads all contacts: some tenths of a second
  /// for ten thousand.
  static func findings(_ db: Database) throws -> [String] {
    // While the lists' order is built again, the index has texts of two versions.
    let isComplete =
      try db.number("SELECT count(*) FROM contact_ordering WHERE next_language IS NOT NULL") == 0
    return isComplete ? try unequalTexts(db) : []
  }

  private static func unequalTexts(_ db: Database) throws -> [String] {
    let rows = try HotStatement(
      borrowing: """
        SELECT record.name, record.shown, contact.text, record.public_id
        FROM record JOIN zone ON zone.id = record.zone
          LEFT JOIN contact ON contact.record = record.id
        WHERE record.type = '\(ContactRecord.type.text)' AND record.shown NOT NULL
          AND zone.owner <> ?
        """, from: db)
    var findings: [String] = []
    try rows.forEach([AccountID.public.column]) { row in
      guard let fields = try? EncodedRecord(stored: row.bytes(1)).fields() else { return true }
      let name = RecordName(stored: row.text(0))
      let contact = ContactRecord.contact(named: name, fields: fields)
      guard row.isNull(2) || ContactSearch.text(of: contact) != row.text(2) else { return true }
      let id = row.isNull(3) ? name.text : row.text(3)
      findings.append(
        "The contact “\(ContactName(contact).displayName)” (\(id)) differs from the search index."
      )
      return findings.count < DeviceReader.findingsMaximum
    }
    return findings
  }
}
