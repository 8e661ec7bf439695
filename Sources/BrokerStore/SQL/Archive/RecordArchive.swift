import BrokerCore
import Records
import SQLConnections

/// A broker's database as an operator reads it: listings, checks, exports. They need no broker, and disturb none that
/// runs.
package protocol RecordArchive: Sendable {
  /// Runs `body` on one snapshot of the database, and changes nothing.
  /// - Throws: `StoreError` if the database cannot be read, and what `body` throws for clients and users.
  func snapshot<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result

  /// The faults that the database itself finds, a sentence each.
  func faults(on db: any SQLConnection) throws -> [String]

  /// The bytes that the database takes on the disk.
  func byteCount(on db: any SQLConnection) throws -> Int64
}
