// Computes the pages of a query over a database, for the broker and for a device. A scan evaluates the
// predicate on the encoded bytes of every record of the queried zones, in the order of names, which is the
// tables' index order. A hundred thousand records take some tenths of a second. A query without a sort order
// ends as soon as its page is full. If a declared index helps, only the records that it selects are
// evaluated; the page is the same.

import Records

/// Computes one page of a query.
package struct QueryScan<Source: QuerySource> {
  private let source: Source
  private let zones: [QueriedZone]
  private let indexes: [StoredIndex]
  private let clock: QueryClock

  /// The evaluation steps between two checks of the clock, about a millisecond.
  private var stepsPerClockCheck: Int { 1 << 20 }

  /// Creates a scan of the query's `zones`.
  /// - Parameter indexes: The complete indexes of the query's type; more only cost time.
  package init(
    _ source: Source, zones: [QueriedZone], indexes: [StoredIndex], clock: QueryClock
  ) {
    self.source = source
    self.zones = zones
    self.indexes = indexes
    self.clock = clock
  }

  /// Returns the page of `query` after `cursor`.
  /// - Throws: `limitExceeded`, if the query takes too long; what the source throws.
  package func page(_ query: RecordQuery, from cursor: QueryCursor?) throws -> QueryPage {
    var run = try QueryRun(query, from: cursor, now: clock.now, isBrief: clock.isBrief)
    let choice = IndexChoice(source: source, query: query, cursor: cursor, indexes: indexes)
    // With several zones, names before the cursor's can follow in the next zone.
    let start = zones.count == 1 && query.sort.isEmpty ? cursor?.name : nil
    var nextCheck = stepsPerClockCheck
    for zone in zones {
      guard !clock.isOverdue() else { throw RecordsError.queryTooSlow }
      if let indexScan = try choice.scan(in: zone) {
        try scan(zone, indexScan, from: start, nextCheck: &nextCheck, into: &run)
      } else {
        try scan(zone, query.type, from: start, nextCheck: &nextCheck, into: &run)
      }
    }
    return run.page()
  }

  /// Evaluates all records of a type in a zone.
  private func scan(
    _ zone: QueriedZone, _ type: RecordType, from name: RecordName?, nextCheck: inout Int,
    into run: inout QueryRun
  ) throws {
    let isAlone = zones.count == 1
    try source.visit(type, in: zone, from: name) { record in
      _ = try checkClock(&nextCheck, run)
      try evaluate(record, in: zone, &run)
      return !(isAlone && run.isDecidedInOrder)
    }
  }

  /// Evaluates the records that an index selects.
  private func scan(
    _ zone: QueriedZone, _ indexScan: IndexScan, from name: RecordName?, nextCheck: inout Int,
    into run: inout QueryRun
  ) throws {
    let index = indexScan.index
    let isDescending = indexScan.isAscending == false
    let ranges = indexScan.ranges.ranges
    var isOver = false
    for range in isDescending ? ranges.reversed() : ranges where !isOver {
      try source.visit(
        range, of: index, in: zone, from: name, isDescending: isDescending
      ) { record, indexed in
        // A stale index row, left by a damaged record. The record's present row finds it.
        guard index.indexKey(of: record) == indexed else { return true }
        // An occasional check suffices, because records after the page's end do not change the page.
        if try checkClock(&nextCheck, run) {
          isOver = indexScan.isAscending != nil && run.isDecided(at: indexed, isDescending)
        }
        if !isOver { try evaluate(record, in: zone, &run) }
        return !isOver
      }
    }
  }

  /// Checks the clock, if `run` has done `nextCheck` steps. Returns whether it did.
  /// - Throws: `limitExceeded`, if the query takes too long.
  private func checkClock(_ nextCheck: inout Int, _ run: borrowing QueryRun) throws -> Bool {
    guard run.stepsUsed >= nextCheck else { return false }
    nextCheck = run.stepsUsed + stepsPerClockCheck
    if clock.isOverdue() { throw RecordsError.queryTooSlow }
    return true
  }

  private func evaluate(_ record: Change, in zone: QueriedZone, _ run: inout QueryRun) throws {
    try run.look(at: record, in: zone.id)
    if run.isTooCostly { throw RecordsError.queryTooSlow }
  }
}

extension QueryRun {
  /// Whether an index scan that has reached `key` can add no more records to the page.
  fileprivate func isDecided(at key: IndexKey, _ isDescending: Bool) -> Bool {
    guard let last = lastKey else { return false }
    return isDescending ? key < last : last < key
  }
}
