// Searches. The full-text index returns the row numbers of the contacts that have the words, called hits here, in the
// order of the rows. There are four ways from there to a page in the list's order:
//
// - Positions tell which hits are on the page, and only their sort keys are read. They are in memory, for the list that
//   was searched last, once it was searched often enough.
// - Sorting reads the sort key of each hit, at random places of a table. It is used for words that few contacts have.
// - Walking goes through the list's index and looks up each contact among the hits. The more hits, the sooner the page
//   is full.
// - Reading walks through the list too, but looks for the words in each contact's text, and needs only a sample of the
//   hits. It is used for words that a large part of all contacts have.
//
// A walk stops as soon as its forecast exceeds the cost of the other ways. All of them return the same contacts, because
// the full-text index is over the text that reading looks at.

import Contacts
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

extension ContactPager {
  /// What the steps of a search cost, in nanoseconds, measured with 100,000 contacts.
  private enum Cost {
    /// The full-text index returns a hit.
    static let hit = 150
    /// The sort key of a hit is read and sorted.
    static let sortedHit = 850
    /// A contact of the list is looked up among the hits.
    static let walkedRow = 110
    /// The text of a contact of the list is read.
    static let readRow = 2300
    /// The position of a contact of the list is derived.
    static let position = 120
  }

  /// If no row number of a contact is as high as this, the full-text index is asked first.
  private static let readFirstMinimum = 2000
  /// Otherwise the page is read first while at least one contact in this many is a hit.
  private static let rowsPerHitMaximum = 4
  /// The number of hits from which the number of all hits is estimated.
  private static let sampleSize = 2000
  /// Fewer hits than these are sorted without an attempt to walk.
  private static let walkMinimum = 500
  /// The same while some contacts are not indexed yet: the statement then sorts as many rows as it may return.
  private static let walkMinimumWithDeferred = 3500

  /// The next contacts that have all terms.
  func search(_ terms: ContactQueryTerms, after cursor: PageCursor?) throws -> [Found] {
    if let page = try readFirst(terms, after: cursor) { return page }
    var readMaximum: Int?
    var hits = try hits(of: terms) { sample in
      readMaximum = try rowsToRead(sample)
      return readMaximum == nil
    }
    if let readMaximum {
      if let page = try read(terms, rowsMaximum: readMaximum, after: cursor) { return page }
      hits = try self.hits(of: terms)
    }
    if let first = try first(of: hits, after: cursor) { return try sort(first, after: cursor) }
    if let page = try walk(among: hits, after: cursor) { return page }
    return try sort(hits, after: cursor)
  }

  /// Returns the page by looking for the terms in the contacts' texts, if a large part of the contacts has them;
  /// otherwise `nil`.
  private func readFirst(_ terms: ContactQueryTerms, after cursor: PageCursor?) throws -> [Found]? {
    // NB: before its first hit, the full-text index merges the contacts of all words with a beginning of more than two
    // characters. That takes 3 ms if 100,000 contacts have such a word. In a small address book it takes no time.
    // A group's contacts can be far apart in the list, and contacts that are not indexed are sorted before the first row.
    guard zone == nil, try lastRecord() >= Self.readFirstMinimum, try !deferred.exist else {
      return nil
    }
    let rowsMaximum = (limit + 1) * Self.rowsPerHitMaximum
    return try read(terms, rowsMaximum: rowsMaximum, after: cursor)
  }

  /// The highest row number of a contact.
  private func lastRecord() throws -> Int {
    Int(try db.number("SELECT max(record) FROM contact"))
  }

  /// Returns a part of the hits with all that are on the page, by their positions; `nil` if there are no positions.
  private func first(of hits: NumberSet, after cursor: PageCursor?) throws -> NumberSet? {
    guard hits.count >= Self.walkMinimum, zone == nil, order != .modified else { return nil }
    guard let (positions, changes) = try listPositions(hits.count),
      let start = try start(after: cursor, positions, changes)
    else { return nil }
    return positions.first(limit + 1, of: hits, from: start) { changes[$0] != nil }
  }

  /// Returns the positions of this list. Derives them if that is worth while for this many hits.
  private func listPositions(
    _ hits: Int
  ) throws -> (positions: ListPositions, changes: [Int64: Int])? {
    guard let (cache, moment) = positions else { return nil }
    if let found = cache.positions(since: moment), found.positions.areOf(self) { return found }
    let derivingNanoseconds = try lastRecord() * Cost.position
    guard try !deferred.exist,
      cache.lose(nanoseconds: hits * Cost.sortedHit, derivingNanoseconds: derivingNanoseconds),
      let made = try ListPositions(order, generation: generation, db)
    else { return nil }
    cache.keep(made, since: moment)
    return (made, [:])
  }

  /// Returns the position of the first contact after `cursor` that has not changed: 0 without a cursor, the end of the list
  /// if nothing follows, and `nil` if there is none nearby.
  private func start(
    after cursor: PageCursor?, _ positions: ListPositions, _ changes: [Int64: Int]
  ) throws -> Int? {
    guard let cursor else { return 0 }
    let rowsMaximum = 64
    var arguments = StatementArguments()
    let listing = try listing(after: cursor, limit: rowsMaximum, &arguments)
    let following = try found(listing, arguments)
    for found in following where changes[found.record] == nil {
      if let position = positions.position(of: found.record) { return position }
    }
    return following.count < rowsMaximum ? positions.count : nil
  }

  /// Sorts the hits.
  private func sort(_ hits: NumberSet, after cursor: PageCursor?) throws -> [Found] {
    guard hits.count > 0 else { return [] }
    var arguments: StatementArguments = [hits.json]
    let filter = conditions(after: cursor, isIndexed: nil, &arguments)
    let table = rows
    // NB: the statement gets the hits as a list. A second query of the full-text index would cost as much as the first.
    return try found(
      """
      SELECT \(table).record, \(column) FROM json_each(?) AS hit
      CROSS JOIN \(table) ON \(table).record = hit.value \(filter)
      \(ending) LIMIT \(limit + 1)
      """, arguments)
  }

  /// Returns the maximum number of contacts whose texts may be read for a page; `nil` if that would cost more than getting
  /// all hits.
  private func rowsToRead(_ sample: NumberSet) throws -> Int? {
    let rowsPerHit = max(sample.meanDistance, 1)
    let cost = Double(try lastRecord()) / rowsPerHit * Double(Cost.hit)
    let rowsMaximum = min(Int(cost) / Cost.readRow, max(1000, 4 * limit))
    return Double(limit + 1) * rowsPerHit <= Double(rowsMaximum) ? rowsMaximum : nil
  }

  /// Returns the page by looking for the terms in the contacts' texts; `nil` if the forecast fails.
  private func read(
    _ terms: ContactQueryTerms, rowsMaximum: Int, after cursor: PageCursor?
  ) throws -> [Found]? {
    let forecast = WalkForecast(hitsNeeded: limit + 1, rowsMaximum: rowsMaximum)
    var arguments = StatementArguments()
    // In the order of the parameters in the statement.
    let test = Self.test(terms, &arguments)
    let listing = try listing(after: cursor, limit: forecast.statementLimit, &arguments)
    return try walk(
      """
      SELECT walked.record, walked.place, \(test) FROM (\(listing)) AS walked
      CROSS JOIN contact ON contact.record = walked.record
      """, arguments, forecast
    ) { $0.number(2) != 0 }
  }

  /// Returns the page by looking up the contacts of the list among the hits; `nil` if sorting them would cost less.
  private func walk(among hits: NumberSet, after cursor: PageCursor?) throws -> [Found]? {
    guard hits.count >= Self.walkMinimum else { return nil }
    if hits.count < Self.walkMinimumWithDeferred, try deferred.exist { return nil }
    let forecast = WalkForecast(
      hitsNeeded: limit + 1, rowsMaximum: hits.count * Cost.sortedHit / Cost.walkedRow)
    var arguments = StatementArguments()
    let listing = try listing(after: cursor, limit: forecast.statementLimit, &arguments)
    return try walk(listing, arguments, forecast) { hits.contains($0.number(0)) }
  }

  /// Returns the hits among the rows of a statement, if they fill the page or the list ends; `nil` if the forecast fails.
  private func walk(
    _ sql: String, _ arguments: StatementArguments, _ forecast: WalkForecast,
    where isHit: (HotStatement) -> Bool
  ) throws -> [Found]? {
    var forecast = forecast
    var page: [Found] = []
    try HotStatement(borrowing: sql, from: db).forEach(arguments) { row in
      let isHit = isHit(row)
      if isHit { page.append(found(in: row)) }
      forecast.add(isHit: isHit)
      return forecast.isPromising && !forecast.isFull
    }
    return forecast.isPromising ? page : nil
  }

  /// Returns the contacts that have the terms, by the index and by the texts that it does not have yet.
  /// - Parameter needsMore: Whether more than a sample of them is needed.
  private func hits(
    of terms: ContactQueryTerms, needsMore: (NumberSet) throws -> Bool = { _ in true }
  ) throws -> NumberSet {
    var hits = NumberSet()
    var needsAll = true
    func add(_ row: HotStatement) throws -> Bool {
      hits.insert(row.number(0))
      if hits.count == Self.sampleSize { needsAll = try needsMore(hits) }
      return needsAll
    }
    let statement = try HotStatement(
      borrowing: "SELECT rowid FROM contact_text WHERE contact_text MATCH ?", from: db)
    try statement.forEach([Self.expression(terms)], add)
    guard needsAll, try deferred.exist else { return hits }
    var arguments = StatementArguments()
    let unindexed = try HotStatement(
      borrowing: """
        SELECT contact.record FROM contact_deferred
        CROSS JOIN contact ON contact.record = contact_deferred.record
        WHERE \(Self.test(terms, &arguments))
        """, from: db)
    try unindexed.forEach(arguments, add)
    return hits
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
      arguments += [try hits(of: terms).json]
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
