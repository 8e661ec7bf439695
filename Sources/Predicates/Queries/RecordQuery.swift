// Records that are equal in all sort keys are sorted by name and zone, so the order is total. The next page
// can therefore continue after the sort position of the last record, even if records were created or
// deleted in the meantime.

import Records

/// A query for the records of one type.
package struct RecordQuery: Hashable, Sendable {
  /// The record type.
  package let type: RecordType
  /// The database of the records.
  package let database: DatabaseScope
  /// The zone of the records; `nil` for all zones of the database.
  package let zone: ZoneID?
  /// The condition on the records.
  package let predicate: Predicate
  /// The sort order. Records that are equal in it are sorted by name and zone.
  package let sort: [SortKey]
  /// The fields to return; `nil` for all.
  package let desiredKeys: [FieldKey]?
  /// The most records of a page.
  package let limit: Int

  /// Creates a valid query.
  /// - Throws: `limitExceeded` for too many sort keys or a `limit` outside of
  ///   1...`QueryLimits.pageRecordsMax`; `invalidArguments` for a sort key of entries.
  package init(
    type: RecordType, database: DatabaseScope = .private, zone: ZoneID? = nil,
    predicate: Predicate, sort: [SortKey] = [], desiredKeys: [FieldKey]? = nil,
    limit: Int = QueryLimits.pageRecords
  ) throws(RecordsError) {
    guard sort.count <= QueryLimits.sortKeys else {
      throw .limit("Sort keys of a query", limit: QueryLimits.sortKeys, actual: sort.count)
    }
    guard (1...QueryLimits.pageRecordsMax).contains(limit) else {
      throw RecordsError(
        .limitExceeded,
        "A page must have 1 to \(QueryLimits.pageRecordsMax) records; the query asks for \(limit).")
    }
    for key in sort {
      if case .entry = key.path {
        throw .invalid("A sort key must be a field of the record, not a field of its entries.")
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

  /// Returns the error of a query that names a zone which its database does not have.
  package func zoneNotFound(_ zone: ZoneID) -> RecordsError {
    RecordsError(
      .zoneNotFound, "The zone \(zone.name) does not exist in the \(database) database.",
      hint: "It was deleted, or is no longer shared with this account.", field: "zone")
  }

  /// A digest of the query without `desiredKeys` and `limit`, which identifies the query's cursors.
  var fingerprint: UInt64 {
    var digest = Fingerprint()
    digest.add(type.text)
    digest.add("\(database) \(zone.map(String.init(describing:)) ?? "all")")
    digest.add(predicate.description)
    for key in sort { digest.add("\(key.path) \(key.isAscending)") }
    return UInt64(truncatingIfNeeded: digest.value)
  }
}

/// A field by which a query sorts.
package struct SortKey: Hashable, Sendable {
  /// The field.
  package let path: FieldPath
  /// Whether the smallest value is first. A record without the field sorts before all that have it, and
  /// in descending order after them.
  package let isAscending: Bool

  /// Creates a sort key for a field, ascending by default.
  package init(_ path: FieldPath, isAscending: Bool = true) {
    self.path = path
    self.isAscending = isAscending
  }
}

/// The limits of queries.
package enum QueryLimits {
  /// The default number of records of a page.
  package static let pageRecords = 100
  /// The most records of a page, which limits the memory of a query. More → `limitExceeded`.
  package static let pageRecordsMax = 1000
  /// The bytes after which a page ends. A page with these and one more record fits in a frame.
  package static let pageBytes = 1 << 20
  /// The number of sort keys. More → `limitExceeded`.
  package static let sortKeys = 8
  /// The maximum time for one page, on a broker and on a device. Beyond → `limitExceeded`.
  package static let seconds: Int64 = 2
}

/// A page of a query's result.
package struct QueryPage: Sendable {
  /// The records, in the query's order, with the desired keys.
  package let records: [FoundPage.Found]
  /// The position of the next page; `nil` if this is the last.
  package let cursor: QueryCursor?
  /// The number of records left out because the predicate exceeded its steps on them.
  package let skipped: Int
}
