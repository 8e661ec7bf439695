// Queries on a device's own database. They use the broker's language, order and cursors, need no connection, and
// see what people see, unsent edits included.

import DeviceStore
import GRDB
import Predicates
import Records
import SQLiteFile

/// A page of a query on a device.
package struct LocalQueryPage: Hashable, Sendable {
  /// The records in the query's order, with the desired keys.
  package let records: [RecordView]
  /// The position of the next page; `nil` if this is the last.
  package let cursor: QueryCursor?
  /// The number of records left out because the predicate exceeded its steps on them.
  package let skipped: Int
}

extension DeviceReader {
  /// Returns the page of `query` after `cursor`, in one read transaction. A page computed later can show later edits;
  /// its order continues after the cursor's record all the same.
  ///
  /// A record that the broker does not have yet was created by this account at the time of this device. One with an
  /// unsent edit was modified by this account at the time of that edit. Before the device knows its account, the
  /// author of such a record is the reserved account 0.
  ///
  /// Without an index the cost is that of reading all records of the zones: some tenths of a second for 100,000.
  /// - Parameter clock: The value of `now()`, and when to give up: usually after `QueryLimits.seconds`.
  /// - Throws: `RecordsError`: `zoneNotFound`; `limitExceeded` if the page takes longer than `clock` allows;
  ///   `invalidArguments` for the cursor of another query, or a type of the public database that this device does
  ///   not read. `StoreError` if the disk fails.
  package func records(
    matching query: RecordQuery, after cursor: QueryCursor? = nil, clock: QueryClock
  ) throws -> LocalQueryPage {
    try read { try LocalQuery(query, db: $0, rules: rules).page(after: cursor, clock: clock) }
  }
}

extension DeviceTransaction {
  /// Returns the page of `query` after `cursor`, as `DeviceReader` does. It includes what the transaction has written.
  /// - Throws: as on `DeviceReader`; the transaction can continue.
  package func records(
    matching query: RecordQuery, after cursor: QueryCursor? = nil, clock: QueryClock
  ) throws -> LocalQueryPage {
    try LocalQuery(query, db: db, rules: rules).page(after: cursor, clock: clock)
  }
}

/// A query on the connection of a device.
struct LocalQuery {
  private let query: RecordQuery
  private let db: Database
  private let rules: ApplicationRules

  init(_ query: RecordQuery, db: Database, rules: ApplicationRules) {
    self.query = query
    self.db = db
    self.rules = rules
  }

  /// Returns the page after `cursor`.
  /// - Parameter usesIndexes: Whether declared indexes may be used. The page is the same without; for tests.
  func page(
    after cursor: QueryCursor?, clock: QueryClock, usesIndexes: Bool = true
  ) throws -> LocalQueryPage {
    try cursor?.validate(for: query)
    let zones = try zones()
    let indexes = usesIndexes ? try IndexKeyTable(db: db).usable(for: query.type) : []
    // NB: rows that SQLite itself filters out also take time, so it is interrupted as well.
    return try db.interrupted(when: clock.isOverdue, as: RecordsError.queryTooSlow) {
      let scan = QueryScan(try ShownRecords(db), zones: zones, indexes: indexes, clock: clock)
      let page = try scan.page(query, from: cursor)
      return LocalQueryPage(
        records: try views(of: page.records, zones), cursor: page.cursor, skipped: page.skipped)
    }
  }

  /// The views of a page's records.
  private func views(of page: [FoundPage.Found], _ zones: [QueriedZone]) throws -> [RecordView] {
    let keys = Dictionary(zones.map { ($0.id, $0.key) }, uniquingKeysWith: { first, _ in first })
    let row = try HotStatement(
      borrowing: "SELECT id FROM record WHERE zone = ? AND name = ?", from: db)
    var records = try ListedRecords(db)
    return try page.map { found in
      let id = try row.first {
        $0.bind(1, keys[found.zone] ?? 0)
        $0.bind(2, found.change.name.text)
      } read: {
        $0.number(0)
      }
      guard let view = try records.record(id ?? 0) else {
        throw StoreError(.damaged, "The record “\(found.change.name)” is missing in its index.")
      }
      return query.desiredKeys.map(view.selecting) ?? view
    }
  }

  // MARK: Zones

  /// The zones that the query reads.
  private func zones() throws -> [QueriedZone] {
    if query.database == .public { return try publicZone() }
    let all = try DeviceReader.zoneIDs(db).map { QueriedZone(key: $0.row, id: $0.zone) }
    let zones = all.filter { ($0.id.owner == .current) == (query.database == .private) }
    guard let named = query.zone else { return zones }
    let zone = try relative(named)
    guard let found = zones.first(where: { $0.id == zone }) else { throw query.zoneNotFound(named) }
    return [found]
  }

  /// The zone as a device calls it: zones of its own account have the owner `.current`.
  private func relative(_ zone: ZoneID) throws -> ZoneID {
    let account = AccountID(column: try db.row("SELECT account FROM identity")?["account"])
    return account.map(zone.relative) ?? zone
  }

  private func publicZone() throws -> [QueriedZone] {
    guard query.zone.map({ $0 == .public }) ?? true else {
      throw query.zoneNotFound(query.zone ?? .public)
    }
    guard rules.publicTypes.contains(query.type) else {
      throw RecordsError(
        .invalidArguments,
        "This device does not read \(query.type) records of the public database.",
        hint: "Query the broker, or add the type to those that the application reads.")
    }
    return try DeviceReader.row(of: .public, db).map { [QueriedZone(key: $0, id: .public)] } ?? []
  }
}
