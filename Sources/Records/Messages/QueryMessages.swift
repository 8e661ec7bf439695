// A question about records, as it travels: the words of whoever asks. The broker makes a
// `RecordQuery` of it, which is where what is wrong with it is found.

/// A query as somebody wrote it.
package struct QueryForm: Hashable, Sendable {
  /// A field to sort by.
  package struct SortOrder: Hashable, Sendable {
    /// A field's key, or a system field as predicates name it.
    package let key: String
    /// Largest first.
    package let isDescending: Bool

    /// Sorts by `key`.
    package init(key: String, isDescending: Bool = false) {
      self.key = key
      self.isDescending = isDescending
    }
  }

  /// The database.
  package let database: DatabaseScope
  /// One zone of it; `nil` for all.
  package let zone: ZoneID?
  /// The type asked for.
  package let type: RecordType
  /// Which of them.
  package let predicate: PredicateText
  /// Their order; behind it the record's name decides, then its zone.
  package let sort: [SortOrder]
  /// The fields wanted; `nil` for all.
  package let desiredKeys: [FieldKey]?
  /// The most records of the page; 0 for as many as is usual.
  package let limit: Int
  /// Where the page begins; `nil` for the first.
  package let cursor: [UInt8]?

  /// A query; nothing is checked.
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

/// A page of a query's records.
package struct FoundPage: Hashable, Sendable {
  /// A record and where it is.
  package struct Found: Hashable, Sendable {
    /// Its zone.
    package let zone: ZoneID
    /// Its state, with the fields that were wanted.
    package let change: Change

    /// A record that was found.
    package init(zone: ZoneID, change: Change) {
      self.zone = zone
      self.change = change
    }
  }

  /// The records, in the query's order.
  package let records: [Found]
  /// Where the next page begins; `nil` where this is the last.
  package let cursor: [UInt8]?

  /// The public database's present history, where that was asked; `nil` also from a broker that does
  /// not tell it yet.
  package let incarnation: Incarnation?
  /// How many records were left out because the predicate takes too long on them.
  package let skipped: Int

  /// A page.
  package init(
    records: [Found], cursor: [UInt8]?, incarnation: Incarnation? = nil, skipped: Int = 0
  ) {
    self.skipped = skipped
    self.records = records
    self.cursor = cursor
    self.incarnation = incarnation
  }
}
