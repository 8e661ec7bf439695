import DeviceStore
import GRDB

/// Removes drafts with what they belong to. Drafts are not derived from records, but the account's data.
final class DraftProjection: Projection {
  func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {}

  /// A draft outlives its contact.
  func remove(record: Int64, _ db: Database) throws {}

  func remove(zone: Int64, _ db: Database) throws {
    try DraftTable(db).eraseContext(zone: zone)
  }

  func removeAll(_ db: Database) throws { try DraftTable(db).removeAll() }
}
