import BrokerCore
import Records
import Synchronization

/// The leases of maintenance jobs. They are in memory, because only one process opens the database.
final class LeaseTable: Sendable {
  private let leases = Mutex(JobLeases())

  func acquire(_ job: Job, for broker: BrokerProcessID, at now: Timestamp) -> Bool {
    leases.withLock { $0.acquire(job, for: broker, at: now) }
  }

  func release(_ job: Job, by broker: BrokerProcessID) {
    leases.withLock { $0.release(job, by: broker) }
  }
}

extension SQLTransaction {
  func acquireLease(of job: Job, for broker: BrokerProcessID, at now: Timestamp) -> Bool {
    leases.acquire(job, for: broker, at: now)
  }

  func releaseLease(of job: Job, by broker: BrokerProcessID) {
    leases.release(job, by: broker)
  }
}
