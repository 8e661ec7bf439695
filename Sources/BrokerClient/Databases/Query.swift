// A question about records, in the words of docs/predicates.md.

import Records

/// Records of one type for which a predicate holds. CloudKit: `CKQuery`.
public struct Query: Hashable, Sendable {
  /// A field to sort by. CloudKit: `NSSortDescriptor`.
  public struct SortDescriptor: Hashable, Sendable {
    /// A field's key, or a system field: `modificationDate`.
    public var key: String
    /// Smallest first.
    public var isAscending: Bool

    /// Sorts by `key`.
    public init(key: String, ascending: Bool = true) {
      self.key = key
      isAscending = ascending
    }
  }

  /// The type.
  public var recordType: String
  /// Which of them: `"city == %@ AND age > 30"`. `TRUEPREDICATE` is all.
  public var predicate: String
  /// What stands for each `%@`, in order; never read as text.
  public var arguments: [Value]
  /// Their order; behind it the records' names decide.
  public var sortDescriptors: [SortDescriptor]

  /// A query; the broker checks it when it is asked.
  public init(
    recordType: String, predicate: String = "TRUEPREDICATE", arguments: [Value] = [],
    sortDescriptors: [SortDescriptor] = []
  ) {
    self.recordType = recordType
    self.predicate = predicate
    self.arguments = arguments
    self.sortDescriptors = sortDescriptors
  }

  /// Where a page of a query's records ends and the next begins. CloudKit: `CKQueryOperation.Cursor`.
  public struct Cursor: Hashable, Sendable {
    let question: Question
    let place: [UInt8]
  }

  /// All that has to be the same from page to page.
  struct Question: Hashable, Sendable {
    let query: Query
    let zone: ZoneID?
    let desiredKeys: [String]?
    let limit: Int
  }

  func predicateText() throws(RecordError) -> PredicateText {
    PredicateText(predicate, arguments: try Value.stored(arguments))
  }
}

extension Query.Question {
  func form(in scope: DatabaseScope, after cursor: [UInt8]?) throws(RecordError) -> QueryForm {
    var keys: [FieldKey]?
    if let desiredKeys {
      keys = []
      for key in desiredKeys { keys?.append(try FieldKey(checking: key)) }
    }
    return QueryForm(
      database: scope.stored, zone: scope == .public && zone == .standard ? nil : zone?.stored,
      type: try RecordType(checking: query.recordType), predicate: try query.predicateText(),
      sort: query.sortDescriptors.map {
        QueryForm.SortOrder(key: $0.key, isDescending: !$0.isAscending)
      }, desiredKeys: keys, limit: limit, cursor: cursor)
  }
}
