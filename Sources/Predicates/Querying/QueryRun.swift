// Runs a query over records in any order, one after the other, and keeps only as many as a page
// holds: a heap whose top is the last of the best so far. A page is bounded by its records and by
// their bytes, and so is the memory for it, whatever the zone's size: once those that come before have
// enough bytes, the last goes.

import Records

/// One page of a query in the making.
package struct QueryRun: ~Copyable {
  private let query: RecordQuery
  private let cursor: QueryCursor?
  private var evaluator: PredicateEvaluator
  private let stepsPerRun: Int
  private var best: [Candidate] = []
  private var byteCount = 0
  private var isBeyond = false
  private var skipped = 0
  /// Whether a brief run met a record that takes longer: the page has to begin again without being brief.
  package private(set) var isTooCostly = false
  /// What looking at records has taken, in bytes looked at.
  package private(set) var stepsUsed = 0

  private struct Candidate {
    let place: SortPlace
    let record: Change

    /// About what it takes in a page.
    var weight: Int { record.record.bytes.count + 256 }
  }

  /// Begins a page at `cursor`, or the first. `now` is the moment for `now()`. A brief run takes little for
  /// each record, or is too costly.
  package init(
    _ query: RecordQuery, from cursor: QueryCursor?, now: Timestamp, isBrief: Bool = false
  ) throws(RecordsError) {
    stepsPerRun = isBrief ? PredicateLimits.stepsPerBriefRun : PredicateLimits.stepsPerRun
    self.query = query
    self.cursor = cursor
    evaluator = try PredicateEvaluator(query.predicate, now: now)
  }

  /// Whether no record that is still to come can be on the page, if records come ordered by name and
  /// zone.
  package var isDecidedInOrder: Bool { isBeyond && query.sort.isEmpty }

  /// In the order of the first sort key: behind this key no record belongs on the page. `nil` as long
  /// as any may.
  package var lastKey: IndexKey? {
    isBeyond && !query.sort.isEmpty ? IndexKey(best[0].place.values[0]) : nil
  }

  /// Looks at one record of a zone; its order among the others does not matter. One on which the
  /// predicate takes too long is counted and left out.
  /// - Throws: the record's own errors.
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
    let place = SortPlace(fields, system, zone: zone, sort: query.sort)
    if let cursor, !cursor.place.precedes(place, query.sort) { return }
    let isFull = best.count == query.limit || byteCount >= QueryLimits.pageBytes
    if isFull {
      isBeyond = true
      guard place.precedes(best[0].place, query.sort) else { return }
    }
    let candidate = Candidate(place: place, record: try narrowed(record))
    byteCount += candidate.weight
    best.append(candidate)
    rise(from: best.count - 1)
    while best.count > query.limit || isHeavyWithoutTheLast { dropLast() }
  }

  /// What a record takes before the predicate looks at it.
  private static let stepsPerRecord = 1024

  /// The page, once every record was looked at.
  package consuming func page() -> QueryPage {
    let sort = query.sort
    best.sort { $0.place.precedes($1.place, sort) }
    let last = best.last?.place
    return QueryPage(
      records: best.map { FoundPage.Found(zone: $0.place.zone, change: $0.record) },
      cursor: isBeyond ? last.map { QueryCursor(query, after: $0) } : nil, skipped: skipped)
  }

  /// A record with the fields that were wanted.
  private func narrowed(_ record: Change) throws(RecordsError) -> Change {
    guard let wanted = query.desiredKeys else { return record }
    let fields = try record.record.fields()
    let kept = wanted.compactMap { key in fields[key].map { (key, $0) } }
    return Change(
      name: record.name, tag: record.tag, kind: record.kind, type: record.type,
      created: record.created, modified: record.modified, record: EncodedRecord(Fields(kept)))
  }

  // The heap: no candidate comes after the one above it.

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
      guard best[parent].place.precedes(best[index].place, query.sort) else { return }
      best.swapAt(parent, index)
      index = parent
    }
  }

  private mutating func sink() {
    var index = 0
    while true {
      var last = index
      for child in [2 * index + 1, 2 * index + 2] where child < best.count {
        if best[last].place.precedes(best[child].place, query.sort) { last = child }
      }
      guard last != index else { return }
      best.swapAt(last, index)
      index = last
    }
  }
}
