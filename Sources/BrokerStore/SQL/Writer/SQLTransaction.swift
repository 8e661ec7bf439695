import BrokerCore
import Predicates
import Records
import SQLConnections

/// A write transaction on SQLite. The operations of `StoreTransaction` are in extensions, next to the tables
/// that they use.
struct SQLTransaction: StoreTransaction {
  let db: any SQLConnection
  let origins: OriginCache
  let memory: WriterMemory
  let damages: DamageList
  let publicRights: PublicRights
  let leases: any JobLeaseTable
  let listedRemovals: ListedRemovals
  let time: Timestamp?

  var zones: ZoneTable { ZoneTable(db: db, memory: memory) }
  var records: RecordTable {
    RecordTable(db: db, origins: origins, memory: memory, damages: damages)
  }
  var devices: DeviceTable { DeviceTable(db: db, memory: memory) }
  var accounts: AccountTable { AccountTable(db: db) }
  var directories: DirectoryTable { DirectoryTable(db: db) }
  var assets: AssetTable { AssetTable(db: db) }
  var indexes: IndexTable { IndexTable(db: db) }

  var storedBytesLeft: Int { memory.storedBytesLeft }

  var spent: Double {
    let bytes = 1 - Double(storedBytesLeft) / Double(BrokerLimits.storedBytesPerTransaction)
    let steps = Double(memory.book.stepsUsed) / Double(PredicateLimits.stepsPerSharedCommit)
    return max(bytes, steps)
  }

  func spend(storedBytes byteCount: Int) { memory.spend(storedBytes: byteCount) }

  func isRevoked(_ identity: SessionIdentity) throws -> Bool {
    try devices.numbers(of: identity, for: .zero).isRevoked
  }

  func acknowledge(_ number: RequestNumber, of identity: SessionIdentity) throws {
    try devices.acknowledge(number, device: identity.deviceKey)
  }
}
