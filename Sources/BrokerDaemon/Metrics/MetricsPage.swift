// The broker's metrics in the text format of Prometheus, version 0.0.4. Metrics are added but never renamed,
// because dashboards rely on them. They contain no name of a person or record; devices have ids.

import BrokerCore
import BrokerServer
import DaemonKit
import Records

/// The page that a scraper reads.
struct MetricsPage {
  /// The maximum number of devices on the page. If there are more, those that lack most revisions are shown.
  private static let devicesMaximum = 100

  let status: BrokerStatus
  let commits: CommitMeter.Counts

  var text: String {
    var page = Page()
    page.add("contacts_broker_connections", .gauge, "Open connections.", status.connections)
    page.add(
      "contacts_broker_devices_signed_in", .gauge, "Connections that have signed in.",
      status.signedIn)
    page.add(
      "contacts_broker_zones_followed", .gauge, "Zones that at least one connection follows.",
      status.zonesFollowed)
    page.add(
      "contacts_broker_queued_bytes", .gauge, "Bytes of requests that wait to be written.",
      status.queuedBytes)
    page.add(
      "contacts_broker_tail_bytes", .gauge,
      "Bytes of recent changes in memory, for connections that are catching up.",
      status.tailBytes)
    page.add("contacts_broker_requests_total", .counter, "Committed requests.", commits.requests)
    page.begin(
      "contacts_broker_commit_seconds", .histogram, "Duration of a commit, with its fsync.")
    var below = 0
    for (step, count) in zip(CommitMeter.bucketSeconds, commits.steps) {
      below += count
      page.line("contacts_broker_commit_seconds_bucket{le=\"\(step)\"}", "\(below)")
    }
    page.line("contacts_broker_commit_seconds_bucket{le=\"+Inf\"}", "\(commits.commits)")
    page.line("contacts_broker_commit_seconds_sum", "\(commits.seconds)")
    page.line("contacts_broker_commit_seconds_count", "\(commits.commits)")
    page.begin(
      "contacts_broker_device_lag_revisions", .gauge,
      "Revisions that a connected device has not received; the 100 devices that lack most.")
    let lags = status.lags.sorted {
      ($1.value, $0.key.description) < ($0.value, $1.key.description)
    }
    for (device, lag) in lags.prefix(Self.devicesMaximum) {
      page.line("contacts_broker_device_lag_revisions{device=\"\(device)\"}", "\(lag)")
    }
    addJobs(to: &page)
    page.begin("contacts_broker_info", .gauge, "Always 1; the label has the broker's version.")
    page.line("contacts_broker_info{version=\"\(ProgramVersion.text)\"}", "1")
    return page.text
  }

  private func addJobs(to page: inout Page) {
    func add(
      _ name: String, _ kind: Kind, _ help: String, _ value: (JobStatus) -> Int
    ) {
      page.begin("contacts_broker_job_\(name)", kind, help)
      for job in Job.allCases {
        let status = status.jobs[job] ?? JobStatus()
        page.line("contacts_broker_job_\(name){job=\"\(job.rawValue)\"}", "\(value(status))")
      }
    }
    add("steps_total", .counter, "Steps of a maintenance job that succeeded.") { $0.steps }
    add("failures_total", .counter, "Steps of a maintenance job that failed.") { $0.failures }
    add("pending", .gauge, "1 if a maintenance job has work left, else 0.") { $0.isPending ? 1 : 0 }
  }

  private enum Kind: String {
    case gauge, counter, histogram
  }

  private struct Page {
    private(set) var text = ""

    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
      begin(name, kind, help)
      line(name, "\(value)")
    }

    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func line(_ series: String, _ value: String) {
      text += "\(series) \(value)\n"
    }
  }
}
