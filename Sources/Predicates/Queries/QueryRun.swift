// Computes one page of a query from records in any order. It retains only the records that fit on the page,
// in a heap whose root is the last of them in sort order. A page is limited by its number of records and by
// their bytes, so the memory does not depend on the size of the zone. The last record is dropped when the
// records before it already have `QueryLimits.pageBytes`.

import Records

/// The computation of one page of a query.
package struct QueryRun: ~Copyable {
  private let query: RecordQuery
  private let cursor: QueryCursor?
  private var evaluator: PredicateEvaluator
  private let stepsPerRun: Int
  private var best: [Candidate] = []
  private var byteCount = 0
  /// Whether at least one matching record did not fit on the page, so that another page follows.
  private var isBeyond = false
  private var skipped = 0
  /// Whether a record exceeded the limit of a brief run, so that the page must be computed again without
  /// `isBrief`.
  package private(set) var isTooCostly = false
  /// The cost so far, in steps: bytes read, and a fixed cost for each record.
  package private(set) var stepsUsed = 0

  private struct Candidate {
    let position: SortPosition
    let record: Change

    /// The approximate size of the record in a page, in bytes.
    var weight: Int { record.record.bytes.count + 256 }
  }

  /// Begins the page after `cursor`, or the first page.
  /// - Parameters:
  ///   - now: the value of `now()`.
  ///   - isBrief: whether each record is limited to `PredicateLimits.stepsPerBriefRun`, so that the query
  ///     does not delay other requests.
  package init(
    _ query: RecordQuery, from cursor: QueryCursor?, now: Timestamp, isBrief: Bool = false
  ) throws(RecordsError) {
    stepsPerRun = isBrief ? PredicateLimits.stepsPerBriefRun : PredicateLimits.stepsPerRun
    self.query = query
    self.cursor = cursor
    evaluator = try PredicateEvaluator(query.predicate, now: now)
  }

  /// Whether the page is complete, if records are added in the order of name and zone: no further record
  /// can be on it.
  package var isDecidedInOrder: Bool { isBeyond && query.sort.isEmpty }

  /// The key of the first sort field after which, in sort order, no record can be on the page; `nil` as
  /// long as any record can be.
  package var lastKey: IndexKey? {
    isBeyond && !query.sort.isEmpty ? IndexKey(best[0].position.values[0]) : nil
  }

  /// Evaluates the query on one record of a zone and adds it to the page if it belongs there. Records can
  /// be in any order. A record on which the predicate exceeds its steps is counted and left out.
  /// - Throws: an error of decoding the record.
  package mutating func look(at record: Change, in zone: ZoneID = .standard) throws(RecordsError) {
    guard record.kind == .saved, record.type == query.type else { return }
    let system = SystemFields(record)
    let outcome = evaluator.run(on: record.record, system, stepsMaximum: stepsPerRun)
    stepsUsed += evaluator.stepsUsed + Self.stepsPerRecord
    if outcome == .failed {
      skipped += 1
      isTooCostly = stepsPerRun < PredicateLimits.stepsPerRun
    }
    guard outcome == .yes else { return }
    let fields = query.sort.isEmpty ? Fields() : try record.record.fields()
    let position = SortPosition(fields, system, zone: zone, sort: query.sort)
    if let cursor, !cursor.position.precedes(position, query.sort) { return }
    let isFull = best.count == query.limit || byteCount >= QueryLimits.pageBytes
    if isFull {
      isBeyond = true
      guard position.precedes(best[0].position, query.sort) else { return }
    }
    let candidate = Candidate(position: position, record: try narrowed(record))
    byteCount += candidate.weight
    best.append(candidate)
    rise(from: best.count - 1)
    while best.count > query.limit || isHeavyWithoutTheLast { dropLast() }
  }

  /// The fixed cost of a record.
  private static let stepsPerRecord = 1024

  /// Returns the page. Call it after all records.
  package consuming func page() -> QueryPage {
    let sort = query.sort
    best.sort { $0.position.precedes($1.position, sort) }
    let last = best.last?.position
    return QueryPage(
      records: best.map { FoundPage.Found(zone: $0.position.zone, change: $0.record) },
      cursor: isBeyond ? last.map { QueryCursor(query, after: $0) } : nil, skipped: skipped)
  }

  /// Returns the record with only the desired keys.
  private func narrowed(_ record: Change) throws(RecordsError) -> Change {
    guard let wanted = query.desiredKeys else { return record }
    let fields = try record.record.fields()
    let kept = wanted.compactMap { key in fields[key].map { (key, $0) } }
    return Change(
      name: record.name, tag: record.tag, kind: record.kind, type: record.type,
      created: record.created, modified: record.modified, record: EncodedRecord(Fields(kept)))
  }

  // The heap. Invariant: no candidate sorts after its parent.

  private var isHeavyWithoutTheLast: Bool {
    best.count > 1 && byteCount - best[0].weight >= QueryLimits.pageBytes
  }

  private mutating func dropLast() {
    isBeyond = true
    byteCount -= best[0].weight
    best.swapAt(0, best.count - 1)
    best.removeLast()
    sink()
  }

  private mutating func rise(from index: Int) {
    var index = index
    while index > 0 {
      let parent = (index - 1) / 2
      guard best[parent].position.precedes(best[index].position, query.sort) else { return }
      best.swapAt(parent, index)
      index = parent
    }
  }

  private mutating func sink() {
    var index = 0
    while true {
      var last = index
      for child in [2 * index + 1, 2 * index + 2] where child < best.count {
        if best[last].position.precedes(best[child].position, query.sort) { last = child }
      }
      guard last != index else { return }
      best.swapAt(last, index)
      index = last
    }
  }
}
