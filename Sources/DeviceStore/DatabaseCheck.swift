// A look at everything the device keeps, for whoever doubts the disk. What is searched was made from
// what is shown and lies elsewhere in the file: where the two differ, one of them was flipped.

import Contacts
import GRDB
import Records
import SQLiteFile

extension DeviceReader {
  /// What is wrong with the database, a sentence each; none when all is well. Reads everything: some
  /// tenths of a second for ten thousand contacts.
  package func findings() throws -> [String] {
    try database.read { db in
      let pages = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
      // NB: on a damaged file a reading of all records may not come to an end.
      guard pages.isEmpty else { return pages }
      return try Self.damagedRecords(db)
    }
  }

  private static let findingsMaximum = 100

  private static func damagedRecords(_ db: Database) throws -> [String] {
    // While the lists' order is made anew, texts of two versions stand beside each other.
    let isSettled =
      try db.number("SELECT count(*) FROM contact_ordering WHERE next_language IS NOT NULL") == 0
    let rows = try HotStatement(
      borrowing: """
        SELECT record.name, record.type, record.shown, contact.text, record.public_id
        FROM record LEFT JOIN contact ON contact.record = record.id WHERE record.shown NOT NULL
        """, from: db)
    var findings: [String] = []
    try rows.forEach([]) { row in
      let name = RecordName(stored: row.text(0))
      let id = row.isNull(4) ? name.text : row.text(4)
      let record = EncodedRecord(stored: row.bytes(2))
      if let fields = try? record.fields() {
        guard isSettled, row.text(1) == ContactIndex.type.text else { return true }
        let contact = ContactRecord.contact(named: name, fields: fields)
        guard row.isNull(3) || ContactSearch.text(of: contact) != row.text(3) else { return true }
        findings.append(
          "The contact “\(ContactNaming(contact).displayName)” (\(id)) differs from the search "
            + "index."
        )
      } else {
        findings.append("The record “\(id)” cannot be read.")
      }
      return findings.count < findingsMaximum
    }
    return findings
  }
}
