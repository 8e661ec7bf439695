import BrokerCore
import Records
import SQLConnections

/// A store whose rows are in an SQL database. The reads are in extensions, next to the tables that they use.
package protocol SQLRecordStore: RecordStore, AnyObject {
  /// What the store has beside its database.
  var context: StoreContext { get }

  /// Runs `body` on a reading connection, concurrently with the writer. It sees one snapshot of the database and
  /// changes nothing.
  func reading<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result
}

extension SQLRecordStore {
  /// The cached ids of the devices that records refer to.
  package var origins: OriginCache { context.origins }
  /// Collects the rows that do not match their checksums.
  package var damages: DamageList { context.damages }
  var publicRights: PublicRights { context.publicRights }
}
