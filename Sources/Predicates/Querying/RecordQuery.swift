// What is asked of a zone's records: which type, which of them, in what order, how many at a time.
// The order is total, because name and zone stand behind every sort key, so that a cursor, the
// last record handed out, says where to go on although records come and go meanwhile.

import Records

/// A question about the records of one type.
package struct RecordQuery: Hashable, Sendable {
  /// The type asked for.
  package let type: RecordType
  /// The database asked.
  package let database: DatabaseScope
  /// One zone of it; `nil` for all.
  package let zone: ZoneID?
  /// Which of them.
  package let predicate: Predicate
  /// Their order; records that are equal in it are ordered by name.
  package let sort: [SortKey]
  /// The fields wanted; `nil` for all.
  package let desiredKeys: [FieldKey]?
  /// The most records of one page.
  package let limit: Int

  /// A question that keeps to the limits.
  /// - Throws: `limitExceeded` or `invalidArguments` where it does not.
  package init(
    type: RecordType, database: DatabaseScope = .private, zone: ZoneID? = nil,
    predicate: Predicate, sort: [SortKey] = [], desiredKeys: [FieldKey]? = nil,
    limit: Int = QueryLimits.pageRecords
  ) throws(RecordsError) {
    guard sort.count <= QueryLimits.sortKeys else {
      throw .limit("Sort keys of a query", limit: QueryLimits.sortKeys, actual: sort.count)
    }
    guard (1...QueryLimits.pageRecordsMax).contains(limit) else {
      throw .limit("Records of a page", limit: QueryLimits.pageRecordsMax, actual: limit)
    }
    for key in sort {
      if case .entry = key.path {
        throw .invalid("Records are sorted by a field, not by one of many entries.")
      }
    }
    self.type = type
    self.database = database
    self.zone = zone
    self.predicate = predicate
    self.sort = sort
    self.desiredKeys = desiredKeys
    self.limit = limit
  }

  /// What a cursor carries to be known as this query's: everything but the size of a page.
  var fingerprint: UInt64 {
    var digest = Fingerprint()
    digest.add(type.text)
    digest.add("\(database) \(zone.map(String.init(describing:)) ?? "all")")
    digest.add(predicate.description)
    for key in sort { digest.add("\(key.path) \(key.isAscending)") }
    return UInt64(truncatingIfNeeded: digest.value)
  }
}

/// One field to sort by.
package struct SortKey: Hashable, Sendable {
  /// The field.
  package let path: FieldPath
  /// Smallest first. A record without the field comes before all that have it, in a descending
  /// order after them.
  package let isAscending: Bool

  /// Sorts by `path`.
  package init(_ path: FieldPath, isAscending: Bool = true) {
    self.path = path
    self.isAscending = isAscending
  }
}

/// The bounds of queries.
package enum QueryLimits {
  /// The records of a page where nothing is said.
  package static let pageRecords = 100
  /// The most records of a page: what a page keeps in memory. More → `limitExceeded`.
  package static let pageRecordsMax = 1000
  /// The bytes after which a page ends, however few its records are: it fits a frame with one record
  /// more.
  package static let pageBytes = 1 << 20
  /// The fields of a sort. More → `limitExceeded`.
  package static let sortKeys = 8
}

/// Some of a query's records and where to go on.
package struct QueryPage: Sendable {
  /// The records, in the query's order, with the fields that were wanted.
  package let records: [FoundPage.Found]
  /// Where the next page begins; `nil` where this is the last.
  package let cursor: QueryCursor?
  /// The records that were left out because the predicate takes too long on them.
  package let skipped: Int
}
