import Records

/// A query for the records of one type that match a predicate. CloudKit: `CKQuery`.
///
/// `docs/predicates.md` defines the language of predicates.
public struct Query: Hashable, Sendable {
  /// A field to sort by. CloudKit: `NSSortDescriptor`.
  public struct SortDescriptor: Hashable, Sendable {
    /// The key of a field, or of a system field such as `modificationDate`.
    public var key: String
    /// Whether smaller values come first.
    public var isAscending: Bool

    /// Creates a descriptor that sorts by `key`.
    public init(key: String, ascending: Bool = true) {
      self.key = key
      isAscending = ascending
    }
  }

  /// The type of the records.
  public var recordType: String
  /// The condition, such as `"city == %@ AND age > 30"`. `TRUEPREDICATE` matches all records.
  public var predicate: String
  /// The values for each `%@` in the predicate, in order. They are never parsed as predicate text.
  public var arguments: [Value]
  /// The fields to sort by, at most 8. Records with equal values are sorted by name, then by zone.
  public var sortDescriptors: [SortDescriptor]

  /// Creates a query. The broker checks the predicate when the query is used.
  public init(
    recordType: String, predicate: String = "TRUEPREDICATE", arguments: [Value] = [],
    sortDescriptors: [SortDescriptor] = []
  ) {
    self.recordType = recordType
    self.predicate = predicate
    self.arguments = arguments
    self.sortDescriptors = sortDescriptors
  }

  /// The position after a page of results. CloudKit: `CKQueryOperation.Cursor`.
  public struct Cursor: Hashable, Sendable {
    let parameters: Parameters
    let position: [UInt8]
  }

  /// The parameters that all pages of a query share.
  struct Parameters: Hashable, Sendable {
    let query: Query
    let zone: ZoneID?
    let desiredKeys: [String]?
    let limit: Int
  }

  /// The query as the protocol has it.
  package func form(
    in scope: DatabaseScope, zone: ZoneID?, limit: Int
  ) throws(RecordsError) -> QueryForm {
    try Parameters(query: self, zone: zone, desiredKeys: nil, limit: limit).form(
      in: scope, after: nil)
  }

  func predicateText() throws(RecordsError) -> PredicateText {
    PredicateText(predicate, arguments: try Value.stored(arguments))
  }
}

extension Query.Parameters {
  func form(in scope: DatabaseScope, after cursor: [UInt8]?) throws(RecordsError) -> QueryForm {
    var keys: [FieldKey]?
    if let desiredKeys {
      keys = []
      for key in desiredKeys { keys?.append(try FieldKey(checking: key)) }
    }
    return QueryForm(
      database: scope, zone: scope == .public && zone == .standard ? nil : zone?.stored,
      type: try RecordType(checking: query.recordType), predicate: try query.predicateText(),
      sort: query.sortDescriptors.map {
        QueryForm.SortOrder(key: $0.key, isDescending: !$0.isAscending)
      }, desiredKeys: keys, limit: limit, cursor: cursor)
  }
}
