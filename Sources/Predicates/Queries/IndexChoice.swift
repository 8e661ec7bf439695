import Records

/// A scan of some ranges of an index.
struct IndexScan {
  let index: StoredIndex
  let ranges: KeyRanges
  /// The direction, if the index is on the query's first sort key; else `nil`. A scan in sort order can stop
  /// once the page is complete.
  let isAscending: Bool?
}

/// Chooses the index for a query. An index on a filtered field is best if few records match; the page sorts
/// them afterwards. Otherwise an index on the first sort key is scanned until the page is complete. The
/// choice uses exact counts, because counting a row costs a fiftieth of evaluating a record.
struct IndexChoice<Source: QuerySource> {
  let source: Source
  let query: RecordQuery
  let cursor: QueryCursor?
  let indexes: [StoredIndex]

  /// An index that selects fewer rows is used without considering others.
  private var fewRows: Int { 4096 }

  /// Returns the index scan for the query in a zone; `nil` if evaluating every record of the type is
  /// cheaper.
  func scan(in zone: QueriedZone) throws -> IndexScan? {
    let scans = indexes.map { index in
      let path = index.declared.path
      let sort = query.sort.first.flatMap { $0.path == path ? $0 : nil }
      let ranges = query.predicate.ranges(of: path)
      return (
        isFilter: ranges != nil,
        scan: IndexScan(
          index: index, ranges: (ranges ?? .all).intersection(keysFromCursor(sort)),
          isAscending: sort?.isAscending)
      )
    }
    let filters = scans.filter(\.isFilter).map(\.scan)
    if let few = try narrowest(filters, in: zone, below: fewRows) { return few.scan }
    if let sorted = scans.first(where: { $0.scan.isAscending != nil }) { return sorted.scan }
    guard let best = try narrowest(filters, in: zone, below: .max) else { return nil }
    // Looking up one record by the index costs about as much as scanning four in the table.
    let all = try source.count(
      of: .all, in: best.scan.index, zone: zone, maximum: best.count * 4 + 1)
    return all > best.count * 4 ? best.scan : nil
  }

  /// The scan with the fewest rows, if it has fewer than `limit`.
  private func narrowest(
    _ scans: [IndexScan], in zone: QueriedZone, below limit: Int
  ) throws -> (scan: IndexScan, count: Int)? {
    var best: (scan: IndexScan, count: Int)?
    for scan in scans {
      let maximum = best?.count ?? limit
      let count = try source.count(of: scan.ranges, in: scan.index, zone: zone, maximum: maximum)
      if count < maximum { best = (scan, count) }
    }
    return best
  }

  /// The keys that can follow the cursor in the order of `sort`, the cursor's own key included.
  private func keysFromCursor(_ sort: SortKey?) -> KeyRanges {
    guard let sort, let key = cursor?.firstKey else { return .all }
    return sort.isAscending ? .from(key) : .through(key)
  }
}
