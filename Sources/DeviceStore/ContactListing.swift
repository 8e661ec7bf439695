// Pages of contacts and the search in them. A page begins where the one before ended, by key, so a
// deep page costs what the first one does; a search goes through the full-text index and the
// phones' reversed digits.

import Contacts
import Foundation
import GRDB
import Records
import SyncCore

extension DeviceReader {
  /// A page of contacts.
  /// - Throws: `invalidArguments` for a cursor of another query or a limit out of range.
  package func contacts(_ query: ContactQuery) throws -> ContactPage {
    guard (1...DeviceLimits.contactsPerPage).contains(query.limit) else {
      throw RecordsError.invalid("A page has 1 to \(DeviceLimits.contactsPerPage) contacts.")
    }
    let cursor = try query.cursor.map(PageCursor.init(text:))
    let listing = ContactListing(query, after: cursor)
    return try database.read { db in
      let rows = try Row.fetchAll(
        db.cachedStatement(sql: listing.sql), arguments: listing.arguments)
      let start = cursor?.index ?? 0
      let contacts = try rows.prefix(query.limit).enumerated().map { index, row in
        try Self.contact(row, order: query.order, index: start + index)
      }
      let next = rows.count > query.limit ? rows[query.limit - 1] : nil
      return ContactPage(
        rows: contacts,
        next: next.map {
          PageCursor(
            index: start + query.limit, record: $0["id"], key: $0["sort_key"] as String
          ).text
        })
    }
  }

  /// The contacts a person may mean by `text`: the one of this id; else those of exactly this
  /// display name (ignoring case and accents); else those whose id or name begins so. At most 20.
  package func contacts(matching text: String) throws -> [ContactRow] {
    let folded = text.trimmingBlanks().folded()
    guard !folded.isEmpty else { return [] }
    let conditions: [(String, StatementArguments)] = [
      ("record.name = ?", [text]),
      ("contact.display = ?", [folded]),
      (
        "contact.display >= ? AND contact.display < ? OR record.name >= ? AND record.name < ?",
        [folded, Self.end(of: folded), text, Self.end(of: text)]
      ),
    ]
    return try database.read { db in
      for (condition, arguments) in conditions {
        let rows = try db.rows(
          """
          \(ContactListing.selection("contact.key_last")) WHERE (\(condition))
          ORDER BY contact.key_last, contact.record LIMIT 20
          """, arguments)
        guard rows.isEmpty else {
          return try rows.enumerated().map {
            try Self.contact($0.element, order: .last, index: $0.offset)
          }
        }
      }
      return []
    }
  }

  /// The first text that is behind all that begin with `text`.
  private static func end(of text: String) -> String { text + "\u{10FFFF}" }

  private static func contact(_ row: Row, order: ContactOrder, index: Int) throws -> ContactRow {
    let view = try record(row)
    let contact = ContactRecord.contact(named: view.id.name, fields: view.fields)
    let naming = ContactNaming(contact, order: order.naming)
    return ContactRow(
      record: view, displayName: naming.displayName, sortName: naming.sortName,
      sectionKey: naming.sectionKey, sortIndex: index)
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

/// The statement of one query.
struct ContactListing {
  private(set) var sql: String
  private(set) var arguments = StatementArguments()

  init(_ query: ContactQuery, after cursor: PageCursor?) {
    let key = Self.key(query.order)
    var conditions: [String] = []
    if let zone = query.zone {
      conditions.append("zone.owner = ? AND zone.name = ?")
      arguments += [zone.owner.column, zone.name.column]
    }
    for word in query.text.map(ContactSearch.words) ?? [] {
      conditions.append(Self.condition(word, &arguments))
    }
    if let cursor {
      conditions.append(
        query.order == .modified
          ? "(\(key), contact.record) < (?, ?)"
          : "(\(key), contact.record) > (?, ?)")
      arguments += [cursor.key, cursor.record]
    }
    let direction = query.order == .modified ? "DESC" : "ASC"
    let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    sql = """
      \(Self.selection(key)) \(filter)
      ORDER BY \(key) \(direction), contact.record \(direction) LIMIT \(query.limit + 1)
      """
  }

  /// Selects contacts with their records; `sort_key` is what a cursor keeps.
  static func selection(_ key: String) -> String {
    """
    SELECT record.*, zone.owner AS zone_owner, zone.name AS zone_name,
      (SELECT account FROM identity) AS own_account, (SELECT device FROM identity) AS own_device,
      \(key) AS sort_key
    FROM contact JOIN record ON record.id = contact.record JOIN zone ON zone.id = contact.zone
    """
  }

  private static func key(_ order: ContactOrder) -> String {
    switch order {
    case .last: "contact.key_last"
    case .first: "contact.key_first"
    case .company: "contact.key_company"
    // Twenty digits, so that texts compare as numbers do.
    case .modified: "printf('%020d', record.local_modified)"
    }
  }

  /// A word begins a word of the contact, or its digits end a phone.
  private static func condition(_ word: String, _ arguments: inout StatementArguments) -> String {
    let quoted = "\"" + word.replacingOccurrences(of: "\"", with: "\"\"") + "\"*"
    let text = "contact.record IN (SELECT rowid FROM contact_text WHERE contact_text MATCH ?)"
    arguments += [quoted]
    guard word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return text
    }
    let reversed = String(word.reversed())
    // “:” is what comes behind “9”.
    arguments += [reversed, reversed + ":"]
    return "(\(text) OR contact.record IN "
      + "(SELECT record FROM phone WHERE reversed >= ? AND reversed < ?))"
  }
}

/// Where a page ended.
struct PageCursor {
  let index: Int
  let record: Int64
  let key: String

  init(index: Int, record: Int64, key: String) {
    self.index = index
    self.record = record
    self.key = key
  }

  init(text: String) throws(RecordsError) {
    let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let index = Int(parts[0]), index >= 0, let record = Int64(parts[1]),
      let data = Data(base64Encoded: String(parts[2])),
      let key = String(validating: data, as: UTF8.self)
    else { throw .invalid("The cursor is not one that a page of this agent ended with.") }
    self.init(index: index, record: record, key: key)
  }

  var text: String {
    "\(index).\(record).\(Data(key.utf8).base64EncodedString())"
  }
}
