// The contacts by what identifies a person in a table that has no UIDs: the name with a number or an e-mail address.

import Contacts
import DeviceStore
import GRDB
import Records
import SQLiteFile

/// Contacts by their names with their numbers and e-mail addresses.
package struct KnownPeople: Sendable {
  /// The record of each key; `nil` if several contacts have it. Digests, because names and numbers may have any length.
  private var records: [UInt64: RecordName?] = [:]

  /// Returns the record of the person that a contact describes; `nil` if there is none, or more than one.
  package func record(of contact: Contact) -> RecordName? {
    let found = Set(ContactFacts(contact).personKeys.compactMap { records[Self.digest($0)] })
    return found.count == 1 ? found.first.flatMap(\.self) : nil
  }

  fileprivate mutating func add(_ contact: Contact) {
    for key in ContactFacts(contact).personKeys {
      let digest = Self.digest(key)
      if let known = records[digest] {
        if known != contact.id { records[digest] = .some(nil) }
      } else {
        records[digest] = contact.id
      }
    }
  }

  private static func digest(_ text: String) -> UInt64 {
    var fingerprint = Fingerprint()
    fingerprint.add(text)
    return UInt64(truncatingIfNeeded: fingerprint.value)
  }
}

extension DeviceReader {
  /// Returns the people of a group, or of all groups of this account. Reads all contacts once: about 20 µs each.
  package func knownPeople(in zone: ZoneID?) throws -> KnownPeople {
    let zones = try zone.map { [$0] } ?? groups().map(\.zone).filter { $0.owner == .current }
    return try read { db in
      let keys = Set(try zones.compactMap { try Self.row(of: $0, db) })
      var people = KnownPeople()
      let cursor = try Row.fetchCursor(
        db,
        sql: """
          SELECT contact.zone, record.name, shown FROM contact JOIN record ON record.id = contact.record
          WHERE shown IS NOT NULL
          """)
      while let row = try cursor.next() {
        guard keys.contains(row[0]), let fields = try Fields.read(row[2]) else { continue }
        people.add(ContactRecord.contact(named: RecordName(stored: row[1]), fields: fields))
      }
      return people
    }
  }
}
