// Searches. What is typed first – a letter or two – fits every third contact, so the list is walked
// in its order and looked at until the page is full. What fits few is asked of the full-text index,
// and the few are sorted. Between them is what fits many who stand far down the list: the index says
// who, and the list is walked on with that in hand, which looks at no text. Nobody says beforehand
// which it is, so each way has a bound and the next gets its turn. All mean the same, because the
// index is over the very text that the walk looks at.

import Contacts
import Foundation
import GRDB
import Records
import SQLiteFile

extension ContactListing {
  /// Contacts that are walked before the index is asked. A millisecond and a half for all of them.
  private static let walkedAtLeast = 1000

  /// Fewer than these are sorted: two milliseconds for all of them.
  private static let sortedAtMost = 4000
  /// Contacts that are walked with the index's answer in hand: four milliseconds.
  private static let passedAtMost = 40_000

  /// The next contacts that have all terms.
  func search(_ terms: ContactQueryTerms, after cursor: PageCursor?) throws -> [Found] {
    if let page = try walked(terms, after: cursor) { return page }
    if let page = try passed(hits(of: terms), after: cursor) { return page }
    return try gathered(terms, after: cursor)
  }

  /// Everybody who has the terms, sorted.
  private func gathered(
    _ terms: ContactQueryTerms, after cursor: PageCursor?
  ) throws -> [Found] {
    var arguments = StatementArguments()
    var filter = conditions(after: cursor, &arguments)
    filter += (filter.isEmpty ? "WHERE" : " AND") + " contact_text MATCH ?"
    arguments += [Self.expression(terms)]
    let table = order == .modified ? "contact" : "contact_place"
    return try found(
      """
      SELECT \(table).record, \(column) FROM contact_text
      CROSS JOIN \(table) ON \(table).record = contact_text.rowid \(filter)
      \(ending) LIMIT \(limit + 1)
      """, arguments)
  }

  /// The page, if the next contacts of the list fill it or end with it.
  private func walked(
    _ terms: ContactQueryTerms, after cursor: PageCursor?
  ) throws -> [Found]? {
    let bound = max(Self.walkedAtLeast, 4 * limit)
    var arguments = StatementArguments()
    // In the order in which they stand in the statement.
    let test = terms.terms.map { Self.test($0, &arguments) }.joined(separator: " AND ")
    let filter = conditions(after: cursor, &arguments)
    let rows = try db.rows(
      """
      SELECT walked.record, walked.place, \(test) FROM (
        SELECT record, \(column) AS place FROM \(try walkedTable()) \(filter)
        \(ending) LIMIT \(bound)) AS walked
      CROSS JOIN contact ON contact.record = walked.record
      """, arguments)
    let page = rows.lazy.filter { $0[2] }.prefix(limit + 1)
      .map { Found(record: $0[0], place: $0[1]) }
    return page.count > limit || rows.count < bound ? Array(page) : nil
  }

  /// Who has the terms, by the index.
  private func hits(of terms: ContactQueryTerms) throws -> RecordSet {
    var hits = RecordSet()
    let statement = try HotStatement(
      borrowing: "SELECT rowid FROM contact_text WHERE contact_text MATCH ?", from: db)
    try statement.forEach([Self.expression(terms)]) { row in
      hits.insert(row.number(0))
      return true
    }
    return hits
  }

  /// The page, if there are too many hits to be sorted and the walk comes upon enough of them.
  private func passed(_ hits: RecordSet, after cursor: PageCursor?) throws -> [Found]? {
    guard hits.count > Self.sortedAtMost else { return nil }
    var arguments = StatementArguments()
    let filter = conditions(after: cursor, &arguments)
    let statement = try HotStatement(
      borrowing: """
        SELECT record, \(column) FROM \(try walkedTable()) \(filter)
        \(ending) LIMIT \(Self.passedAtMost)
        """, from: db)
    var page: [Found] = []
    var walked = 0
    try statement.forEach(arguments) { row in
      walked += 1
      guard hits.contains(row.number(0)) else { return true }
      let place =
        order == .modified ? row.number(1).databaseValue : Data(row.bytes(1)).databaseValue
      page.append(Found(record: row.number(0), place: place))
      return page.count <= limit
    }
    return page.count > limit || walked < Self.passedAtMost ? page : nil
  }

  /// A term as a test of a contact's text.
  private static func test(
    _ term: ContactQueryTerms.Term, _ arguments: inout StatementArguments
  ) -> String {
    let texts =
      term.phrases.map { " " + $0.joined(separator: " ") } + term.wholeWords.map { " \($0) " }
    for text in texts { arguments += [text] }
    let tests = texts.map { _ in "instr(contact.text, ?) > 0" }
    return "(" + tests.joined(separator: " OR ") + ")"
  }

  /// The terms as the full-text index takes them. Words are letters and digits only, so nothing in
  /// them needs quoting.
  static func expression(_ terms: ContactQueryTerms) -> String {
    terms.terms.map { term in
      let ways =
        term.phrases.map { "\"\($0.joined(separator: " "))\" *" }
        + term.wholeWords.map { "\"\($0)\"" }
      return "(" + ways.joined(separator: " OR ") + ")"
    }.joined(separator: " AND ")
  }

  /// The list in another language's order: everything it can hold is read and sorted, which is why
  /// only small ones are.
  func sorted(by ordering: ContactOrdering, after cursor: PageCursor?) throws -> [Found] {
    var sql = """
      SELECT record.id, record.name, record.shown FROM contact
      JOIN record ON record.id = contact.record WHERE TRUE
      """
    var arguments = StatementArguments()
    if let zone {
      sql += " AND contact.zone = ?"
      arguments += [zone]
    }
    if let terms {
      sql += " AND contact.record IN (SELECT rowid FROM contact_text WHERE contact_text MATCH ?)"
      arguments += [Self.expression(terms)]
    }
    let rows = try db.rows(sql, arguments)
    let places = try rows.map { row -> (record: Int64, place: [UInt8]) in
      let fields = try Fields.read(row["shown"]) ?? Fields()
      let contact = ContactRecord.contact(
        named: RecordName(stored: row["name"]), fields: fields)
      return (row["id"], ordering.place(of: ContactNaming(contact), order.naming).bytes)
    }.sorted { left, right in
      left.place == right.place
        ? left.record < right.record : left.place.lexicographicallyPrecedes(right.place)
    }
    let after = cursor.map {
      (record: $0.record, place: [UInt8](Data.fromDatabaseValue($0.place) ?? Data()))
    }
    return places.drop { place in
      guard let after else { return false }
      return place.place == after.place
        ? place.record <= after.record : place.place.lexicographicallyPrecedes(after.place)
    }.prefix(limit + 1).map { Found(record: $0.record, place: Data($0.place).databaseValue) }
  }
}
