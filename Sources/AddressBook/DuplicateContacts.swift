// Duplicates among the contacts shown. Two passes over the store: one that enters every contact
// under the keys of its facts and keeps nothing else of it, one that looks at the pairs found.

import Contacts
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

/// Two contacts that seem to be one person.
package struct DuplicateView: Hashable, Sendable {
  /// One of them.
  package struct Member: Hashable, Sendable {
    /// Its record.
    package let id: RecordID
    /// What people call it.
    package let title: String
  }

  /// The one that was there before.
  package let first: Member
  /// The other.
  package let second: Member
  /// Why.
  package let judgement: DuplicateJudgement
}

extension DeviceReader {
  /// Contacts that seem to be one person and may be changed by this account, the surest first, at
  /// most `limit` pairs. Reads all contacts: about 20 µs each, so not on an event loop.
  package func duplicates(limit: Int) throws -> [DuplicateView] {
    try read { db in
      var search = DuplicateSearch()
      var rows: [Int64] = []
      let cursor = try Row.fetchCursor(
        db,
        sql: """
          SELECT record.id, record.name, shown FROM contact
            JOIN record ON record.id = contact.record JOIN zone ON zone.id = contact.zone
          WHERE zone.writable = 1 AND shown IS NOT NULL ORDER BY record.id
          """)
      while let row = try cursor.next() {
        guard let fields = try Fields.read(row[2]) else { continue }
        rows.append(row[0])
        search.add(
          ContactRecord.contact(named: RecordName(stored: row[1]), fields: fields))
      }
      return try Self.judged(search.pairs(), rows, limit: limit, db)
    }
  }

  private static func judged(
    _ pairs: [(Int, Int)], _ rows: [Int64], limit: Int, _ db: Database
  ) throws -> [DuplicateView] {
    var found: [DuplicateView] = []
    var last: (place: Int, contact: (RecordView, ContactFacts))?
    for (one, other) in pairs {
      // Pairs are sorted by their first, so that one is read once.
      if last?.place != one { last = try contact(rows[one], db).map { (one, $0) } }
      guard let first = last?.contact, let second = try contact(rows[other], db),
        let judgement = DuplicateJudgement(first.1, second.1)
      else { continue }
      found.append(
        DuplicateView(first: member(first.0), second: member(second.0), judgement: judgement))
    }
    found.sort { $0.judgement.weight > $1.judgement.weight }
    return Array(found.prefix(limit))
  }

  private static func contact(
    _ id: Int64, _ db: Database
  ) throws -> (RecordView, ContactFacts)? {
    guard let row = try db.row("\(recordSelection) WHERE record.id = ?", [id]) else { return nil }
    let view = try record(row)
    return (
      view, ContactFacts(ContactRecord.contact(named: view.id.name, fields: view.fields))
    )
  }

  private static func member(_ view: RecordView) -> DuplicateView.Member {
    DuplicateView.Member(
      id: view.id,
      title: ContactName(
        ContactRecord.contact(named: view.id.name, fields: view.fields)
      ).displayName)
  }
}
