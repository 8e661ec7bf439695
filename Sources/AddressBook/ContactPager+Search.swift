// Searches. The full-text index says who has the words, which is quick, but not in the list's order.
// What few have is sorted. What many have is met soon on a walk through the list: by looking up each
// one among those the index named, or, where even naming them all would take long, by looking at
// their texts. Nobody says beforehand where in the list they stand, so a walk has a bound and
// another way gets its turn. All mean the same, because the index is over the very text that a walk
// looks at.

import Contacts
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

extension ContactPager {
  /// Fewer hits than these are sorted: two milliseconds for all of them.
  private static let sortedAtMost = 3500
  /// More hits than these are not named before the texts were looked at: one millisecond.
  private static let namedAtFirst = 20_000
  /// Contacts whose texts are looked at. Two milliseconds and a half for all of them.
  private static let readAtLeast = 1000
  /// Contacts that are looked up among the hits, for each hit: half of what sorting them costs, so
  /// that a walk in vain costs half as much again.
  private static let passedPerHit = 6

  /// The next contacts that have all terms.
  func search(_ terms: ContactQueryTerms, after cursor: PageCursor?) throws -> [Found] {
    var hits = try hits(of: terms, atMost: Self.namedAtFirst)
    if hits.count == Self.namedAtFirst {
      if let page = try read(terms, after: cursor) { return page }
      hits = try self.hits(of: terms, atMost: .max)
    }
    if hits.count > Self.sortedAtMost, let page = try passed(hits, after: cursor) { return page }
    return try gathered(hits, after: cursor)
  }

  /// The hits, sorted.
  private func gathered(_ hits: RecordSet, after cursor: PageCursor?) throws -> [Found] {
    guard hits.count > 0 else { return [] }
    var arguments: StatementArguments = [hits.json]
    let filter = conditions(after: cursor, isIndexed: nil, &arguments)
    let table = rows
    // NB: what the index named is handed back to the database, which asks it a second time no
    // cheaper than the first.
    return try found(
      """
      SELECT \(table).record, \(column) FROM json_each(?) AS hit
      CROSS JOIN \(table) ON \(table).record = hit.value \(filter)
      \(ending) LIMIT \(limit + 1)
      """, arguments)
  }

  /// The page by the contacts' texts, if the next contacts of the list fill it or end with it.
  private func read(
    _ terms: ContactQueryTerms, after cursor: PageCursor?
  ) throws -> [Found]? {
    let bound = max(Self.readAtLeast, 4 * limit)
    var arguments = StatementArguments()
    // In the order in which they stand in the statement.
    let test = Self.test(terms, &arguments)
    let listing = try listing(after: cursor, limit: bound, &arguments)
    return try walk(
      """
      SELECT walked.record, walked.place, \(test) FROM (\(listing)) AS walked
      CROSS JOIN contact ON contact.record = walked.record
      """, arguments, atMost: bound
    ) { $0.number(2) != 0 }
  }

  /// The page of those rows of a walk that fit, if they fill it or the walk came to its end.
  private func walk(
    _ sql: String, _ arguments: StatementArguments, atMost bound: Int,
    where fits: (HotStatement) -> Bool
  ) throws -> [Found]? {
    var page: [Found] = []
    var walked = 0
    try HotStatement(borrowing: sql, from: db).forEach(arguments) { row in
      walked += 1
      guard fits(row) else { return true }
      page.append(found(in: row))
      return page.count <= limit
    }
    return page.count > limit || walked < bound ? page : nil
  }

  /// Who has the terms, by the index and by the texts that it does not have yet; some of them where there are more than
  /// `count`.
  private func hits(of terms: ContactQueryTerms, atMost count: Int) throws -> RecordSet {
    var hits = RecordSet()
    let statement = try HotStatement(
      borrowing: "SELECT rowid FROM contact_text WHERE contact_text MATCH ?", from: db)
    try statement.forEach([Self.expression(terms)]) { row in
      hits.insert(row.number(0))
      return hits.count < count
    }
    guard hits.count < count, try deferred.exist else { return hits }
    var arguments = StatementArguments()
    let unindexed = try HotStatement(
      borrowing: """
        SELECT contact.record FROM contact_deferred
        CROSS JOIN contact ON contact.record = contact_deferred.record
        WHERE \(Self.test(terms, &arguments))
        """, from: db)
    try unindexed.forEach(arguments) { row in
      hits.insert(row.number(0))
      return hits.count < count
    }
    return hits
  }

  /// The page by a walk that looks up each contact among `hits`, if it comes upon enough of them.
  private func passed(_ hits: RecordSet, after cursor: PageCursor?) throws -> [Found]? {
    let bound = hits.count * Self.passedPerHit
    var arguments = StatementArguments()
    let listing = try listing(after: cursor, limit: bound, &arguments)
    return try walk(listing, arguments, atMost: bound) { hits.contains($0.number(0)) }
  }

  /// All terms as a test of a contact's text.
  private static func test(
    _ terms: ContactQueryTerms, _ arguments: inout StatementArguments
  ) -> String {
    terms.terms.map { test($0, &arguments) }.joined(separator: " AND ")
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
  func sorted(by ordering: ContactCollator, after cursor: PageCursor?) throws -> [Found] {
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
      sql += " AND contact.record IN (SELECT value FROM json_each(?))"
      arguments += [try hits(of: terms, atMost: .max).json]
    }
    let rows = try db.rows(sql, arguments)
    let places = try rows.map { row -> (record: Int64, place: [UInt8]) in
      let fields = try Fields.read(row["shown"]) ?? Fields()
      let contact = ContactRecord.contact(
        named: RecordName(stored: row["name"]), fields: fields)
      return (row["id"], ordering.sortKey(of: ContactName(contact), order.naming).bytes)
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
