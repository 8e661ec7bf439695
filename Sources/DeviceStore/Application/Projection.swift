// Tables that an application derives from records, for lists and searches. They are written in the transaction that
// changes the records, so both always agree, and can be built again from the records alone.

import GRDB
import Records

/// Tables that an application derives from records. A projection belongs to one replica, which calls it from its
/// writing transactions only.
package protocol Projection: AnyObject {
  /// A replica opens the database. Called once, before the first transaction and before the first records exist.
  func open(_ db: Database, at now: Timestamp) throws
  /// A transaction begins. What an earlier, failed one left in memory is forgotten.
  func begin(_ db: Database) throws
  /// A transaction ends; called last in it.
  func finish(_ db: Database) throws
  /// The transaction was committed or rolled back.
  func ended()
  /// Returns a function that restores what the projection has in memory. Called before a part of a transaction that
  /// may be rolled back.
  func savepoint() -> () -> Void

  /// What can be derived from records before they are stored, on any thread; `nil` for nothing.
  var preparation: RecordPreparation? { get }
  /// Announces what `preparation` derived from records that the transaction will probably store. Called before some of
  /// them are applied; what an earlier call announced is forgotten.
  func expect(_ derived: any Sendable)

  /// What the projection keeps in memory for readers, besides the database; `nil` for nothing. Readers get it in any
  /// thread, by its type.
  var memory: (any Sendable)? { get }

  /// The database is about to be closed: statements that are kept must be released.
  func close()

  /// Returns what people call a record; `nil` to use the application's rules. Called immediately before `apply`
  /// with the same record, so that a projection can decode its fields once for both.
  func title(of record: ProjectedRecord) -> String?
  /// Whether people do not see this change, so that it is not reported as an event.
  func isHidden(_ record: ProjectedRecord, _ db: Database) throws -> Bool
  /// A record changed for people, appeared or disappeared.
  func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws
  /// The dates or the author of a shown record changed, and its fields did not: usually because the broker confirmed
  /// an edit. Its row has the new ones.
  func confirm(record: Int64, modified: Timestamp, _ db: Database) throws
  /// The broker told the device its account, which is the author of everything that the broker does not have yet.
  func identify(_ db: Database) throws
  /// The replica forgets a record.
  func remove(record: Int64, _ db: Database) throws
  /// The replica forgets all records of a zone.
  func remove(zone: Int64, _ db: Database) throws
  /// The replica forgets everything: nobody is signed in.
  func removeAll(_ db: Database) throws
  /// Deleted text must not stay in the database file. Called before the file is rewritten.
  func compact(_ db: Database) throws

  /// Whether `advance` has work to do. It may have some after any transaction.
  var hasWork: Bool { get set }
  /// Does a step of the work that a projection leaves for the background, such as filling a new table from the records
  /// that exist. A step reads or writes about `rowsMaximum` rows, so that edits and messages get in between.
  /// - Parameter isIdle: Whether the device has nothing else to do. Then a step may be longer that saves many others.
  /// - Returns: whether more is left. The replica sets `hasWork` to it once the transaction is committed.
  func advance(rowsMaximum: Int, isIdle: Bool, in transaction: DeviceTransaction) throws -> Bool

  /// Deletes some of what is kept for a limited time. Called about once an hour, while the clock can be trusted.
  /// - Returns: whether there may be more.
  func expire(at now: Timestamp, _ db: Database) throws -> Bool

  /// Whether a file that the record refers to is fetched without being requested.
  func wants(_ asset: Asset, of record: ProjectedRecord, in transaction: DeviceTransaction) throws
    -> Bool
  /// A setting of the device changed.
  /// - Returns: whether other files are wanted now.
  func changed(setting: String, at now: Timestamp, _ db: Database) throws -> Bool
  /// The wall clock was set back: files may be wanted again that seemed too old.
  func clockWentBack(to now: Timestamp, _ db: Database) throws
  /// Chooses files that are on the broker and no longer wanted here, and forgets them.
  /// - Returns: at most `limit` files, which the driver deletes.
  func evict(at now: Timestamp, limit: Int, _ db: Database) throws -> [AssetDigest]
}

extension Projection {
  package func open(_ db: Database, at now: Timestamp) throws {}
  package func begin(_ db: Database) throws {}
  package func finish(_ db: Database) throws {}
  package func ended() {}
  package func savepoint() -> () -> Void { {} }
  package var preparation: RecordPreparation? { nil }
  package func expect(_ derived: any Sendable) {}
  package var memory: (any Sendable)? { nil }
  package func close() {}
  package func title(of record: ProjectedRecord) -> String? { nil }
  package func isHidden(_ record: ProjectedRecord, _ db: Database) throws -> Bool { false }
  package func confirm(record: Int64, modified: Timestamp, _ db: Database) throws {}
  package func identify(_ db: Database) throws {}
  package var hasWork: Bool {
    get { false }
    set {}
  }
  package func advance(
    rowsMaximum: Int, isIdle: Bool, in transaction: DeviceTransaction
  ) throws -> Bool { false }
  package func compact(_ db: Database) throws {}
  package func expire(at now: Timestamp, _ db: Database) throws -> Bool { false }
  package func wants(
    _ asset: Asset, of record: ProjectedRecord, in transaction: DeviceTransaction
  ) throws -> Bool { false }
  package func changed(setting: String, at now: Timestamp, _ db: Database) throws -> Bool { false }
  package func clockWentBack(to now: Timestamp, _ db: Database) throws {}
  package func evict(at now: Timestamp, limit: Int, _ db: Database) throws -> [AssetDigest] { [] }
}

/// A record as a projection gets it.
package struct ProjectedRecord {
  /// The number of its row, which stays the same while the replica keeps the record; 0 before it is stored.
  package internal(set) var row: Int64
  /// Its name.
  package let name: RecordName
  /// Its type.
  package let type: RecordType
  /// Its zone.
  package let zone: ZoneID
  /// The number of the zone's row.
  package let zoneRow: Int64
  /// What people see of it; `nil` if they no longer see it.
  package let fields: Fields?
  /// What people saw before; `nil` if it is new to them.
  package let former: Fields?
  /// The account that created it; `nil` before the broker has it.
  package let creator: AccountID?
  /// When it was modified, as its readers see it.
  package let modified: Timestamp

  /// What people see of it, or saw until now.
  package var seen: Fields { fields ?? former ?? Fields() }
}
