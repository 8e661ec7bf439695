import Records

/// A snapshot of the broker's counters, for its metrics.
package struct BrokerStatus: Hashable, Sendable {
  /// Open connections.
  package var connections = 0
  /// The connections that are signed in.
  package var signedIn = 0
  /// The zones that a connection follows.
  package var zonesFollowed = 0
  /// The bytes of requests that wait to be written.
  package var queuedBytes = 0
  /// The bytes of changes that are held in memory for subscribers that are catching up.
  package var tailBytes = 0
  /// The number of revisions that each device lacks, over all its zones. Live devices are left out.
  package var lags: [DeviceID: Int64] = [:]
  /// The maintenance jobs, all of them.
  package var jobs: [Job: JobStatus] = [:]
}

/// A maintenance job since the broker started.
package struct JobStatus: Hashable, Sendable {
  /// The steps that the store carried out.
  package var steps = 0
  /// The steps that failed.
  package var failures = 0
  /// Whether the job has work left.
  package var isPending = false

  package init(steps: Int = 0, failures: Int = 0, isPending: Bool = false) {
    self.steps = steps
    self.failures = failures
    self.isPending = isPending
  }
}

extension Broker {
  /// A snapshot of the counters. Visits every connection and subscriber.
  package var status: BrokerStatus {
    var status = BrokerStatus()
    status.connections = sessions.count
    status.signedIn = sessions.values.count { $0.identity != nil }
    status.zonesFollowed = feeds.count
    status.queuedBytes = queue.byteCount
    status.tailBytes = feeds.tailBytes
    for feed in feeds.all {
      for (connection, lag) in feed.lags {
        guard let device = sessions[connection]?.identity?.device else { continue }
        status.lags[device, default: 0] += lag
      }
    }
    for job in Job.allCases { status.jobs[job] = maintenance.status(of: job) }
    return status
  }
}
