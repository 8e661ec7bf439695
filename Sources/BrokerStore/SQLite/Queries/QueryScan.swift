// Queries on SQLite. A scan evaluates the predicate on the encoded bytes of every record of the queried
// zones, in the order of names, which is the table's index order. A hundred thousand records take some
// tenths of a second. A query without a sort order ends as soon as its page is full. If a declared index
// helps, only the records that it selects are evaluated; the page is the same.

import BrokerCore
import FoundationEssentials
import GRDB
import Predicates
import Records
import SQLiteFile

/// Computes one page of a query.
struct QueryScan {
  /// The evaluation steps between two checks of the clock, about a millisecond.
  private static let stepsPerClockCheck = 1 << 20

  let db: Database
  let origins: OriginCache
  let identity: SessionIdentity
  let clock: QueryClock
  let damages: DamageList
  let publicRights: PublicRights
  let hidden: HiddenRecords

  /// Returns the page of `query` after `cursor`.
  /// - Throws: `zoneNotFound`; `limitExceeded`, if the query takes too long.
  func page(_ query: RecordQuery, from cursor: QueryCursor?) throws -> FoundPage {
    var run = try QueryRun(query, from: cursor, now: clock.now, isBrief: clock.isBrief)
    let zones = try zones(of: query)
    let table = IndexTable(db: db)
    let choice = IndexChoice(
      table: table, query: query, cursor: cursor, indexes: try table.usable(for: query.type))
    // With several zones, names before the cursor's can follow in the next zone.
    let start = zones.count == 1 && query.sort.isEmpty ? cursor?.name : nil
    var nextCheck = Self.stepsPerClockCheck
    for zone in zones {
      guard !clock.isOverdue() else { throw Self.tooSlow }
      if let key = zone.key, let indexScan = try choice.scan(in: key) {
        try scan(zone.id, key, indexScan, from: start, nextCheck: &nextCheck, into: &run)
      } else {
        try scan(
          zone, query.type, from: start, isAlone: zones.count == 1, nextCheck: &nextCheck,
          into: &run)
      }
    }
    let page = run.page()
    return FoundPage(
      records: page.records, cursor: page.cursor?.bytes,
      incarnation: query.database == .public ? zones.first?.incarnation : nil,
      skipped: page.skipped)
  }

  /// Checks the clock, if `run` has done `nextCheck` steps. Returns whether it did.
  /// - Throws: `limitExceeded`, if the query takes too long.
  private func checkClock(_ nextCheck: inout Int, _ run: borrowing QueryRun) throws -> Bool {
    guard run.stepsUsed >= nextCheck else { return false }
    nextCheck = run.stepsUsed + Self.stepsPerClockCheck
    if clock.isOverdue() { throw Self.tooSlow }
    return true
  }

  /// Evaluates all records of a type in a zone. `isAlone` says that the query has no other zone.
  private func scan(
    _ zone: StoredZone, _ type: RecordType, from name: RecordName?, isAlone: Bool,
    nextCheck: inout Int, into run: inout QueryRun
  ) throws {
    guard let key = zone.key else { return }
    let records = RecordTable(
      db: db, origins: origins, memory: nil, damages: damages, hidden: hidden)
    try records.visit(type, in: key, from: name) { record in
      _ = try checkClock(&nextCheck, run)
      guard isReadable(record, in: zone.id) else { return true }
      try evaluate(record, in: zone.id, &run)
      return !(isAlone && run.isDecidedInOrder)
    }
  }

  /// Evaluates the records that an index selects.
  private func scan(
    _ zone: ZoneID, _ key: StoreKey, _ indexScan: IndexScan, from name: RecordName?,
    nextCheck: inout Int, into run: inout QueryRun
  ) throws {
    let records = RecordTable(
      db: db, origins: origins, memory: nil, damages: damages, hidden: hidden)
    let isDescending = indexScan.isAscending == false
    let ranges = indexScan.ranges.ranges
    var isOver = false
    for range in isDescending ? ranges.reversed() : ranges where !isOver {
      try records.visit(
        range, of: indexScan.index.key, in: key, from: name, isDescending: isDescending
      ) { record, indexed in
        // A stale index row, left by a damaged record. The record's present row finds it.
        guard IndexKey(of: indexScan.index.declared.path, in: record) == indexed else {
          return true
        }
        // An occasional check suffices, because records after the page's end do not change the page.
        if try checkClock(&nextCheck, run) {
          isOver = indexScan.isAscending != nil && run.isDecided(at: indexed, isDescending)
        }
        if !isOver, isReadable(record, in: zone) { try evaluate(record, in: zone, &run) }
        return !isOver
      }
    }
  }

  private func evaluate(_ record: Change, in zone: ZoneID, _ run: inout QueryRun) throws {
    try run.look(at: record, in: zone)
    if run.isTooCostly { throw Self.tooSlow }
  }

  /// Whether the account may read a record of `zone`. In the public database each record has its own
  /// permissions.
  private func isReadable(_ record: Change, in zone: ZoneID) -> Bool {
    !zone.isPublic || publicRights.allowsReading(record, by: identity)
  }

  fileprivate static var tooSlow: RecordsError {
    RecordsError(
      .limitExceeded,
      "The query takes longer than the limit of \(BrokerLimits.querySeconds) seconds.",
      hint: "Query a single zone, or simplify the predicate.", reason: "tooSlow")
  }

  /// The zones of the query that the account may read.
  private func zones(of query: RecordQuery) throws -> [StoredZone] {
    if let id = query.database == .public ? query.zone ?? .public : query.zone {
      let zone = try ZoneTable(db: db, memory: nil).zone(id, container: identity.container)
      guard let zone, try isIncluded(zone, in: query) else {
        throw RecordsError(
          .zoneNotFound, "The zone \(id.name) does not exist in the \(query.database) database.",
          hint: "It was deleted, or is no longer shared with this account.", field: "zone")
      }
      return [zone]
    }
    return try ZoneTable(db: db, memory: nil).zones(
      inDirectoryOf: identity.accountKey, container: identity.container
    ).filter { try isIncluded($0, in: query) }
  }

  private func isIncluded(_ zone: StoredZone, in query: RecordQuery) throws -> Bool {
    guard !zone.isDeleted, zone.id.database(for: identity.account) == query.database else {
      return false
    }
    return try zone.id.isPublic
      || ParticipantTable(db: db, memory: nil).access(of: identity, in: zone).allowsReading
  }
}

extension QueryRun {
  /// Whether an index scan that has reached `key` can add no more records to the page.
  fileprivate func isDecided(at key: IndexKey, _ isDescending: Bool) -> Bool {
    guard let last = lastKey else { return false }
    return isDescending ? key < last : last < key
  }
}

extension SQLiteRecordStore {
  package func query(
    _ query: RecordQuery, from cursor: QueryCursor?, of identity: SessionIdentity,
    clock: QueryClock
  ) throws -> FoundPage {
    try reading { db in
      // NB: rows that SQLite itself filters out also take time, so it is interrupted as well.
      try db.interrupted(when: clock.isOverdue, as: QueryScan.tooSlow) {
        let scan = QueryScan(
          db: db, origins: origins, identity: identity, clock: clock, damages: damages,
          publicRights: publicRights, hidden: HiddenRecords(db: db))
        return try scan.page(query, from: cursor)
      }
    }
  }
}
