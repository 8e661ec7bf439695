import Records

/// What distinguishes the identifiers of running brokers.
package enum BrokerProcessTag {}
/// A running broker. Each start of the program has a new one.
package typealias BrokerProcessID = Identifier<BrokerProcessTag>

/// The brokers that run maintenance jobs. Brokers on one database share the jobs: a job is done by the broker
/// that has its lease, until the job is finished, or that broker has not done a step for `seconds`.
package struct JobLeases: Sendable {
  private struct Lease: Sendable {
    let holder: BrokerProcessID
    let expires: Timestamp
  }

  /// How long a lease lasts after the last step.
  package static let seconds: Int64 = 30

  private var leases: [Job: Lease] = [:]

  /// Creates a table in which no broker has a lease.
  package init() {}

  /// Gives `holder` the lease of a job, or renews it. Returns false if another broker has it.
  package mutating func acquire(
    _ job: Job, for holder: BrokerProcessID, at now: Timestamp
  ) -> Bool {
    if let lease = leases[job], lease.holder != holder, now < lease.expires { return false }
    leases[job] = Lease(
      holder: holder,
      expires: Timestamp(microseconds: now.microseconds + Self.seconds * 1_000_000))
    return true
  }

  /// Ends the lease of a broker whose job is finished.
  package mutating func release(_ job: Job, by holder: BrokerProcessID) {
    if leases[job]?.holder == holder { leases[job] = nil }
  }
}
