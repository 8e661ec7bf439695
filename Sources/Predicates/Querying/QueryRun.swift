// Runs a query over records in any order, one after the other, and keeps only as many as a page
// holds: a heap whose top is the last of the best so far. Memory is that of a page whatever the
// zone's size. Without a sort and over records that come ordered by name it could stop earlier; who
// reads from an index of its own does that.

import Records

/// One page of a query in the making.
package struct QueryRun: ~Copyable {
  private let query: RecordQuery
  private let cursor: QueryCursor?
  private var evaluator: PredicateEvaluator
  private var best: [Candidate] = []
  private var isBeyond = false

  private struct Candidate {
    let place: SortPlace
    let record: Change
  }

  /// Begins a page at `cursor`, or the first. `now` is the moment for `now()`.
  package init(_ query: RecordQuery, from cursor: QueryCursor?, now: Timestamp) throws(RecordsError)
  {
    self.query = query
    self.cursor = cursor
    evaluator = try PredicateEvaluator(query.predicate, now: now)
  }

  /// Looks at one record; its order among the others does not matter.
  /// - Throws: `limitExceeded` where the predicate looks at too much, or the record's own errors.
  package mutating func look(at record: Change) throws(RecordsError) {
    guard record.kind == .saved, record.type == query.type else { return }
    let system = SystemFields(record)
    guard try evaluator.matches(record.record, system) else { return }
    let fields = query.sort.isEmpty ? Fields() : try record.record.fields()
    let place = SortPlace(fields, system, sort: query.sort)
    if let cursor, !cursor.place.precedes(place, query.sort) { return }
    if best.count < query.limit {
      best.append(Candidate(place: place, record: record))
      rise(from: best.count - 1)
    } else {
      isBeyond = true
      guard place.precedes(best[0].place, query.sort) else { return }
      best[0] = Candidate(place: place, record: record)
      sink()
    }
  }

  /// The page, once every record was looked at.
  /// - Throws: The error of a record whose fields cannot be read.
  package consuming func page() throws(RecordsError) -> QueryPage {
    let sort = query.sort
    best.sort { $0.place.precedes($1.place, sort) }
    var records: [Change] = []
    records.reserveCapacity(best.count)
    for candidate in best { records.append(try narrowed(candidate.record)) }
    let last = best.last?.place
    let next = isBeyond ? last.map { QueryCursor(query, after: $0) } : nil
    return QueryPage(records: records, cursor: next)
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
