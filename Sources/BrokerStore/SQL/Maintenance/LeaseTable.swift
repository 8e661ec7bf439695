import BrokerCore
import Records
import SQLConnections
import Synchronization

/// The leases of maintenance jobs, inside a transaction.
package protocol JobLeaseTable: Sendable {
  /// Gives `broker` the lease of a job, or renews it. Returns false if another broker has it.
  func acquire(
    _ job: Job, for broker: BrokerProcessID, at now: Timestamp, in db: any SQLConnection
  ) throws -> Bool

  /// Ends the lease of a broker whose job is finished.
  func release(_ job: Job, by broker: BrokerProcessID, in db: any SQLConnection) throws
}

/// The leases of a database that only one process opens. They are in memory.
final class LeaseTable: JobLeaseTable {
  private let leases = Mutex(JobLeases())

  func acquire(
    _ job: Job, for broker: BrokerProcessID, at now: Timestamp, in db: any SQLConnection
  ) -> Bool {
    leases.withLock { $0.acquire(job, for: broker, at: now) }
  }

  func release(_ job: Job, by broker: BrokerProcessID, in db: any SQLConnection) {
    leases.withLock { $0.release(job, by: broker) }
  }
}

extension SQLTransaction {
  func acquireLease(of job: Job, for broker: BrokerProcessID, at now: Timestamp) throws -> Bool {
    try leases.acquire(job, for: broker, at: now, in: db)
  }

  func releaseLease(of job: Job, by broker: BrokerProcessID) throws {
    try leases.release(job, by: broker, in: db)
  }
}
