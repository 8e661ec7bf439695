// Which index a query goes by, if any. Where a condition leaves few records, what it costs is those
// few, and that they come in another order is no matter: the page sorts them. Where none does, an
// index of the field that is sorted by is walked until no record can come that belongs on the page.
// Counting is a fiftieth of looking at a record, so it is done and not guessed.

import BrokerCore
import GRDB
import Predicates
import Records
import SQLiteFile

/// How an index is walked.
struct IndexWalk {
  let index: StoredIndex
  /// What of it.
  let ranges: KeyRanges
  /// The order, where it is the first of the query's: then the walk ends when the page is decided.
  let isAscending: Bool?
}

/// Chooses for one query in one zone.
struct IndexChoice {
  let table: IndexTable
  let query: RecordQuery
  let cursor: QueryCursor?
  let indexes: [StoredIndex]

  /// So few records are looked at without asking whether there is a better way.
  private static let fewRows = 4096

  /// The walk; `nil` where every record of the type had better be looked at.
  func walk(in zone: StoreKey) throws -> IndexWalk? {
    let walks = indexes.map { index in
      let path = index.declared.path
      let sort = query.sort.first.flatMap { $0.path == path ? $0 : nil }
      let ranges = query.predicate.ranges(of: path)
      return (
        isFilter: ranges != nil,
        walk: IndexWalk(
          index: index, ranges: (ranges ?? .all).intersection(behindCursor(sort)),
          isAscending: sort?.isAscending)
      )
    }
    let filters = walks.filter(\.isFilter).map(\.walk)
    if let few = try narrowest(filters, in: zone, below: Self.fewRows) { return few.walk }
    if let sorted = walks.first(where: { $0.walk.isAscending != nil }) { return sorted.walk }
    guard let best = try narrowest(filters, in: zone, below: .max) else { return nil }
    // To look one record up takes about as long as walking past four.
    let all = try table.count(
      of: .all, in: best.walk.index, zone: zone, maximum: best.count * 4 + 1)
    return all > best.count * 4 ? best.walk : nil
  }

  private func narrowest(
    _ walks: [IndexWalk], in zone: StoreKey, below limit: Int
  ) throws -> (walk: IndexWalk, count: Int)? {
    var best: (walk: IndexWalk, count: Int)?
    for walk in walks {
      let maximum = best?.count ?? limit
      let count = try table.count(of: walk.ranges, in: walk.index, zone: zone, maximum: maximum)
      if count < maximum { best = (walk, count) }
    }
    return best
  }

  /// What may still come in the order of `sort`: nothing before the last record that was handed out.
  private func behindCursor(_ sort: SortKey?) -> KeyRanges {
    guard let sort, let key = cursor?.firstKey else { return .all }
    return sort.isAscending ? .from(key) : .through(key)
  }
}
