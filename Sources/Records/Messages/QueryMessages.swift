/// A query as the client sent it. It is validated when the broker creates a `RecordQuery` from it.
package struct QueryForm: Hashable, Sendable {
  /// A sort key and its direction.
  package struct SortOrder: Hashable, Sendable {
    /// A field's key, or a system field as named in predicates.
    package let key: String
    /// Whether the largest value comes first.
    package let isDescending: Bool

    package init(key: String, isDescending: Bool = false) {
      self.key = key
      self.isDescending = isDescending
    }
  }

  /// The database to search.
  package let database: DatabaseScope
  /// The zone to search; `nil` for all zones of the database.
  package let zone: ZoneID?
  /// The type of the records.
  package let type: RecordType
  /// The condition that the records match.
  package let predicate: PredicateText
  /// The sort order. Ties are ordered by record name, then by zone.
  package let sort: [SortOrder]
  /// The fields to return; `nil` for all.
  package let desiredKeys: [FieldKey]?
  /// The most records per page; 0 for the default.
  package let limit: Int
  /// The cursor of the page to return, from the page before it; `nil` for the first page.
  package let cursor: [UInt8]?

  package init(
    database: DatabaseScope = .private, zone: ZoneID? = nil, type: RecordType,
    predicate: PredicateText, sort: [SortOrder] = [], desiredKeys: [FieldKey]? = nil,
    limit: Int = 0, cursor: [UInt8]? = nil
  ) {
    self.database = database
    self.zone = zone
    self.type = type
    self.predicate = predicate
    self.sort = sort
    self.desiredKeys = desiredKeys
    self.limit = limit
    self.cursor = cursor
  }
}

/// A page of a query's results.
package struct FoundPage: Hashable, Sendable {
  /// A record and its zone.
  package struct Found: Hashable, Sendable {
    /// The record's zone.
    package let zone: ZoneID
    /// The record's state, with the requested fields.
    package let change: Change

    package init(zone: ZoneID, change: Change) {
      self.zone = zone
      self.change = change
    }
  }

  /// The records, in the query's order.
  package let records: [Found]
  /// The cursor of the next page; `nil` on the last page.
  package let cursor: [UInt8]?

  /// The present history of the public database; `nil` for queries of other databases.
  package let incarnation: Incarnation?
  /// The number of records that were skipped because evaluating the predicate on them takes too
  /// long.
  package let skipped: Int

  package init(
    records: [Found], cursor: [UInt8]?, incarnation: Incarnation? = nil, skipped: Int = 0
  ) {
    self.skipped = skipped
    self.records = records
    self.cursor = cursor
    self.incarnation = incarnation
  }
}
