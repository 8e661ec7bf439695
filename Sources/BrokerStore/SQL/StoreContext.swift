import BrokerCore
import Records
import SQLConnections

/// What an SQL store has beside its database: what it remembers, and the settings of its transactions.
package final class StoreContext: Sendable {
  let origins = OriginCache()
  let damages: DamageList
  /// The permissions of public records.
  let publicRights: PublicRights
  package let memory: WriterMemory
  private let leases: any JobLeaseTable
  private let listedRemovals = ListedRemovals()
  private let removedDevices: RemovedDevices?

  /// - Parameters:
  ///   - publicRights: The permissions of public records.
  ///   - cascades: How many records a cascade deletes in one transaction.
  ///   - removedDevices: The file of removed devices; `nil` for a store without one.
  ///   - leases: The leases of maintenance jobs.
  ///   - report: Receives each damaged record state once, on the thread that read it.
  package init(
    publicRights: PublicRights, cascades: CascadeBounds, removedDevices: RemovedDevices?,
    leases: any JobLeaseTable = LeaseTable(),
    report: @escaping @Sendable (DamagedState) -> Void
  ) {
    self.publicRights = publicRights
    self.removedDevices = removedDevices
    self.leases = leases
    damages = DamageList(report: report)
    memory = WriterMemory(cascades: cascades)
  }

  /// Runs `body` inside a database transaction on `db`, and writes what its requests have left to its end. The
  /// database commits afterwards; the caller then tells `memory`.
  /// - Parameter time: The time of the database's server, if it has one.
  package func perform<Result>(
    on db: any SQLConnection, at time: Timestamp? = nil,
    _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    let result = try body(
      SQLTransaction(
        db: db, origins: origins, memory: memory, damages: damages, publicRights: publicRights,
        leases: leases, listedRemovals: listedRemovals, time: time))
    try memory.finish(in: db)
    try noteRemovedDevices(memory.transaction.removedDevices)
    return result
  }

  /// Adds devices to the file of removed devices.
  package func noteRemovedDevices(_ removed: Set<DeviceID>) throws {
    if !removed.isEmpty { try removedDevices?.append(removed) }
  }

  /// Runs `body`. Errors for clients stay as they are; `failure` converts those of the database.
  package func translatingErrors<Result>(
    _ body: () throws -> Result, failure: (any Error) -> StoreError
  ) throws -> Result {
    do {
      return try body()
    } catch let error as RecordsError {
      throw error
    } catch is HiddenRecords.LookupLimitExceeded {
      throw RecordsError(
        .zoneBusy, "Records that refer to a deleted record are still being deleted.",
        hint: "Try again in a moment.", retryAfterSeconds: 1)
    } catch {
      throw failure(error)
    }
  }

  /// Removes the devices that were removed after the backup from which the database was restored, and adds those
  /// that the database alone knows to the file. Must be called before the first request.
  package func applyListedRemovals(to store: some RecordStore) throws {
    guard let file = removedDevices else { return }
    let listed = try file.ids()
    let known = try store.transact { transaction -> Set<DeviceID> in
      guard let transaction = transaction as? SQLTransaction else { return [] }
      for id in listed {
        guard let device = try transaction.devices.device(id), !device.isRevoked else { continue }
        _ = try transaction.remove(device)
      }
      // They are in the file, or get there below.
      transaction.memory.transaction.removedDevices = []
      return try transaction.devices.removed()
    }
    listedRemovals.set(listed)
    // An interrupted line goes, so that the next one does not continue it. The file exists from the start, so that
    // who restores a backup finds it.
    if !known.isSubset(of: listed) || file.isIncomplete() {
      try file.replace(with: listed.union(known))
    }
  }
}
