// Pages of contacts. A page begins where the one before ended, by the bytes of its last place, so a
// deep page costs what the first one does. The place's bytes lie in an index for each order; which
// index a page walks, and when it is cheaper to gather a small group and sort it, is decided here.

import Collation
import Contacts
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

extension DeviceReader {
  /// A page of contacts.
  /// - Throws: `invalidArguments` for a cursor of another query or a limit out of range,
  ///   `limitExceeded` for a text with too many words.
  package func contacts(_ query: ContactQuery) throws -> ContactPage {
    var rows: [ContactRow] = []
    let end = try forEachContact(query, { $0 }, then: { rows.append($0) })
    return ContactPage(rows: rows, next: end.next, language: end.language)
  }

  /// Calls `body` with what `transform` makes of each contact of a page, in order, inside the transaction that reads the
  /// page. Contacts are decoded and transformed on several threads, a hundred at a time.
  /// - Throws: what `contacts` throws, and what `transform` and `body` throw.
  package func forEachContact<Value: Sendable>(
    _ query: ContactQuery, _ transform: @Sendable (ContactRow) throws -> Value,
    then body: (Value) throws -> Void
  ) throws -> ContactPageEnd {
    guard (1...AddressBook.contactsPerPage).contains(query.limit) else {
      throw RecordsError.invalid("A page has 1 to \(AddressBook.contactsPerPage) contacts.")
    }
    let terms = try query.text.map { text throws(RecordsError) in try ContactQueryTerms(text) }
    // NB: before the transaction begins; see PositionCache.
    let positions = terms == nil ? nil : memory(PositionCache.self).map { ($0, $0.moment) }
    return try read { db in
      guard let standing = try OrderingRow.load(db) else { return .empty }
      let zone = try query.zone.map { try Self.key(of: $0, db) }
      if let terms, terms.terms.isEmpty { return .empty }
      if zone == .some(nil) { return .empty }
      var listing = ContactPager(
        db: db, ordering: standing.current.ordering, generation: standing.current.number,
        order: query.order, zone: zone ?? nil, terms: terms, limit: query.limit,
        fields: query.fields?.union(ContactName.fields), positions: positions)
      if let language = query.language, query.order != .modified {
        let asked = ContactCollator.of(language)
        if asked.version != standing.version, try listing.isSmall() { listing.aside = asked }
      }
      return try listing.page(after: query.cursor, transform, then: body)
    }
  }

  /// The contacts a person may mean by `text`: the one of this id; else those of exactly this
  /// display name (ignoring case and accents); else those whose id or name begins so. At most 20.
  package func contacts(matching text: String) throws -> [ContactRow] {
    let words = Words.shared.folded(text).joined(separator: " ")
    let named = try record(named: RecordName(stored: text))
    if let named, named.type == ContactRecord.type { return [try row(of: named)] }
    guard !words.isEmpty else { return [] }
    let found = try contacts(ContactQuery(text: text)).rows.map { row in
      (row: row, name: Words.shared.folded(row.displayName).joined(separator: " "))
    }
    let same = found.filter { $0.name == words }
    let like = same.isEmpty ? found.filter { $0.name.hasPrefix(words) } : same
    if !like.isEmpty { return like.prefix(20).map(\.row) }
    return try records(beginningWith: text).map { try row(of: $0) }
  }

  /// A contact by itself, as lists of the device's language show it.
  package func row(of record: RecordView, order: ContactOrder = .last) throws -> ContactRow {
    let ordering = try read { try OrderingRow.load($0)?.current.ordering }
    let contact = ContactRecord.contact(named: record.id.name, fields: record.fields)
    let name = ContactName(contact)
    let place = (ordering ?? .of(.neutral)).sortKey(of: name, order.naming)
    return ContactRow(
      record: record, contact: contact, name: name, naming: order.naming,
      sectionKey: (ordering ?? .of(.neutral)).label(
        ofSection: ContactSortKey.section(of: place.bytes)), sortIndex: nil)
  }

  private func records(beginningWith text: String) throws -> [RecordView] {
    try read { db in
      try db.rows(
        """
        \(Self.recordSelection) WHERE record.name >= ? AND record.name < ? AND type = ?
          AND shown IS NOT NULL ORDER BY record.name LIMIT 20
        """, [text, text + "\u{10FFFF}", ContactRecord.type.text]
      ).map(Self.record)
    }
  }

  static func key(of zone: ZoneID, _ db: Database) throws -> Int64? {
    try row(of: zone, db)
  }
}

extension ContactOrder {
  var naming: NameOrder {
    switch self {
    case .last, .modified: .last
    case .first: .first
    case .company: .company
    }
  }
}

extension ContactPageEnd {
  static let empty = ContactPageEnd(next: nil, language: .neutral)
}

/// One page's query, inside a read transaction.
struct ContactPager {
  let db: Database
  let ordering: ContactCollator
  let generation: Int64
  let order: ContactOrder
  let zone: Int64?
  let terms: ContactQueryTerms?
  let limit: Int
  /// The fields of the records that are read; `nil` for all.
  var fields: Set<FieldKey>?
  /// The order of another language than the device's, for this page only.
  var aside: ContactCollator?
  /// The positions for a search, and the moment before the transaction began.
  var positions: (cache: PositionCache, moment: PositionCache.Moment)?

  /// A contact and the bytes or number it is sorted by.
  struct Found {
    let record: Int64
    let place: DatabaseValue
  }

  /// A page is read and decoded in batches. A batch ends with this number of contacts, or when their fields have reached
  /// this number of bytes.
  private static let contactsPerBatch = 128
  private static let bytesPerBatch = 1 << 20

  /// Calls `body` with what `transform` makes of each contact of the page after `cursor`.
  func page<Value: Sendable>(
    after cursor: String?, _ transform: @Sendable (ContactRow) throws -> Value,
    then body: (Value) throws -> Void
  ) throws -> ContactPageEnd {
    let cursor = try cursor.map { text throws(RecordsError) in
      try PageCursor(text: text, of: signature)
    }
    let found = try find(after: cursor)
    let start = cursor?.index ?? 0
    let shown = found.prefix(limit)
    var records = try ListedRecords(db, fields: fields)
    let decoder = ContactDecoder(
      records: records.decoder, ordering: aside ?? ordering, order: order)
    var batch: [StoredContact] = []
    var byteCount = 0
    for (index, found) in shown.enumerated() {
      let contact = try stored(found, index: start + index, &records)
      batch.append(contact)
      byteCount += contact.record.byteCount
      guard
        batch.count == Self.contactsPerBatch || byteCount >= Self.bytesPerBatch
          || index == shown.count - 1
      else { continue }
      let values = try batch.concurrentMap { try transform(decoder.row($0)) }
      for value in values { try body(value) }
      batch.removeAll(keepingCapacity: true)
      byteCount = 0
    }
    let last = found.count > limit ? shown.last : nil
    let next = last.map {
      PageCursor(index: start + limit, record: $0.record, place: $0.place).text(of: signature)
    }
    return ContactPageEnd(next: next, language: (aside ?? ordering).language)
  }

  /// What a cursor belongs to: places of another order or generation cannot be compared.
  var signature: String {
    if order == .modified { return "modified" }
    return aside.map { "\(order)-\($0.language)" } ?? "\(order)\(generation)"
  }

  /// Where the list under a heading begins, as a cursor.
  func cursor(section: UInt32, index: Int) -> String {
    let place = Data(ContactSortKey.start(ofSection: section))
    return PageCursor(index: index, record: 0, place: place.databaseValue).text(of: signature)
  }

  private func find(after cursor: PageCursor?) throws -> [Found] {
    if let aside { return try sorted(by: aside, after: cursor) }
    guard let terms else { return try walk(after: cursor) }
    return try search(terms, after: cursor)
  }

  /// What is sorted by: a column of the table that walks in this order.
  var column: String {
    switch order {
    case .last: "contact_place.last"
    case .first: "contact_place.first"
    case .company: "contact_place.company"
    case .modified: "contact.modified"
    }
  }

  /// The table of that column, with its index.
  func table() throws -> String {
    switch order {
    case .modified: return "contact INDEXED BY contact_modified"
    case .last where zone != nil: return "contact_place INDEXED BY contact_zone_last"
    case .last: return "contact_place INDEXED BY contact_last"
    // Few are gathered and sorted; among many, every few of the whole list are theirs.
    case .first, .company:
      guard zone != nil, try isSmall() else {
        return "contact_place INDEXED BY contact_\(order == .first ? "first" : "company")"
      }
      return "contact_place INDEXED BY contact_zone_last"
    }
  }

  /// Whether what the list can hold is little enough to be sorted for one page.
  func isSmall() throws -> Bool {
    let sums = "SELECT sum(contacts) FROM contact_section WHERE generation = ? AND sort = 0"
    let count =
      try zone.map { try db.number(sums + " AND zone = ?", [generation, $0]) }
      ?? db.number(sums, [generation])
    return count <= AddressBook.contactsSortedAtOnce
  }

  /// Runs a statement that selects records and what they are sorted by.
  func found(_ sql: String, _ arguments: StatementArguments) throws -> [Found] {
    var found: [Found] = []
    try HotStatement(borrowing: sql, from: db).forEach(arguments) { row in
      found.append(self.found(in: row))
      return true
    }
    return found
  }

  /// Reads the record and the place of the current row.
  func found(in row: HotStatement) -> Found {
    let place = order == .modified ? row.number(1).databaseValue : Data(row.bytes(1)).databaseValue
    return Found(record: row.number(0), place: place)
  }

  private func stored(
    _ found: Found, index: Int, _ records: inout ListedRecords
  ) throws -> StoredContact {
    guard let record = try records.stored(found.record) else {
      throw RecordsError(.internalError, "A contact of the list has no record.")
    }
    let place = order == .modified ? nil : Data.fromDatabaseValue(found.place)
    return StoredContact(record: record, place: place.map { [UInt8]($0) }, index: index)
  }
}

/// Where a page ended.
struct PageCursor {
  /// The largest index that a cursor may name: beyond any list, and small enough to add to.
  private static let indexMaximum = 1 << 40

  let index: Int
  let record: Int64
  let place: DatabaseValue

  init(index: Int, record: Int64, place: DatabaseValue) {
    self.index = index
    self.record = record
    self.place = place
  }

  /// Reads a cursor that a list of this signature ended with.
  init(text: String, of signature: String) throws(RecordsError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let index = Int(parts[0]), (0...Self.indexMaximum).contains(index),
      let record = Int64(parts[1])
    else { throw .invalid("The cursor is invalid. Use the “next” value of the previous page.") }
    guard parts[2] == signature else {
      throw .invalid(
        "The cursor belongs to a list with another order. Start again without a cursor.")
    }
    let number = signature == "modified" ? Int64(parts[3]) : nil
    guard let place = number?.databaseValue ?? Data(base64Encoded: String(parts[3]))?.databaseValue
    else { throw .invalid("The cursor is invalid. Use the “next” value of the previous page.") }
    self.init(index: index, record: record, place: place)
  }

  /// The cursor for lists of this signature.
  func text(of signature: String) -> String {
    let place =
      Int64.fromDatabaseValue(place).map { String($0) }
      ?? Data.fromDatabaseValue(place)?.base64EncodedString() ?? ""
    return "\(index).\(record).\(signature).\(place)"
  }
}
