// The declared indexes of a device. A program declares the fields that its queries often use; see
// docs/decisions/0037. An index changes the time of a query and nothing else, so a program may add and remove
// declarations at any time.

import DeviceStore
import GRDB
import Predicates
import Records

/// The declared indexes of a device: one row for each record of a declared type, written in the record's own
/// transaction. CloudKit's equivalent are the queryable and sortable indexes of a schema, which its queries require.
package final class RecordIndex: Projection {
  /// Whether an index is incomplete, or a dropped one still has rows. Until an index is complete, no query uses it.
  package var hasWork = false

  private let wanted: [DeclaredIndex]
  /// The declared indexes with their rows, complete or not.
  private var indexes: [StoredIndex] = []

  /// Declares the indexes of a replica that is about to be opened, instead of those that it had.
  /// - Throws: `limitExceeded` for more than `DeclaredIndex.indexesMax`.
  package init(_ declared: [DeclaredIndex]) throws(RecordsError) {
    wanted = Set(declared).sorted { $0.description < $1.description }
    guard wanted.count <= DeclaredIndex.indexesMax else {
      throw .limit("Declared indexes", limit: DeclaredIndex.indexesMax, actual: wanted.count)
    }
  }

  // MARK: Projection

  package func open(_ db: Database, at now: Timestamp) throws {
    let table = IndexKeyTable(db: db)
    try table.declare(wanted)
    indexes = try table.declared()
    hasWork = try table.hasWork()
  }

  package func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {
    try update(record.row, isNew: record.former == nil, type: record.type, transaction.db)
  }

  package func confirm(record: Int64, modified: Timestamp, _ db: Database) throws {
    guard indexes.contains(where: \.declared.path.isSystem) else { return }
    try update(record, isNew: false, type: nil, db)
  }

  /// The keys of unsent records named no author until now.
  package func identify(_ db: Database) throws {
    let ofAuthors = indexes.filter(\.declared.path.isAuthor)
    guard !ofAuthors.isEmpty else { return }
    try IndexKeyTable(db: db).refill(ofAuthors)
    hasWork = true
  }

  package func remove(record: Int64, _ db: Database) throws {
    try IndexKeyTable(db: db).remove(record: record)
  }

  package func remove(zone: Int64, _ db: Database) throws {
    try IndexKeyTable(db: db).remove(zone: zone)
  }

  package func removeAll(_ db: Database) throws { try IndexKeyTable(db: db).removeAll() }

  package func advance(
    rowsMaximum: Int, isIdle: Bool, in transaction: DeviceTransaction
  ) throws -> Bool {
    try IndexKeyTable(db: transaction.db).advance(rowsMaximum: rowsMaximum)
  }

  // MARK: -

  /// Writes the keys of a record. A new one of a type without indexes has none.
  private func update(_ record: Int64, isNew: Bool, type: RecordType?, _ db: Database) throws {
    if isNew, !indexes.contains(where: { $0.declared.type == type }) { return }
    try IndexKeyTable(db: db).update(record, isNew: isNew, indexes)
  }
}

extension FieldPath {
  /// Whether the field names an account.
  fileprivate var isAuthor: Bool {
    self == .system(.creatorUserRecordID) || self == .system(.lastModifiedUserRecordID)
  }
}
