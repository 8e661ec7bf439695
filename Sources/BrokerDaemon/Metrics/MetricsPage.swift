// The broker's numbers in the text format of Prometheus, version 0.0.4. Names are only ever added:
// dashboards rely on them. No name of a person or record is in it; devices are told by their ids.

import BrokerCore
import DaemonKit
import Records

/// The text that a scraper reads.
struct MetricsPage {
  /// The devices that are told one by one; of more, those that lack most.
  private static let devicesMaximum = 100

  let standing: BrokerStanding
  let commits: CommitMeter.Counts

  /// The page.
  var text: String {
    var page = Page()
    page.add("contacts_broker_connections", .gauge, "Open connections.", standing.connections)
    page.add("contacts_broker_devices_signed_in", .gauge, "Signed in.", standing.signedIn)
    page.add("contacts_broker_zones_followed", .gauge, "With a follower.", standing.zonesFollowed)
    page.add(
      "contacts_broker_queued_bytes", .gauge, "Requests waiting to be written.",
      standing.queuedBytes)
    page.add(
      "contacts_broker_tail_bytes", .gauge, "Changes kept for who is a little behind.",
      standing.tailBytes)
    page.add("contacts_broker_requests_total", .counter, "Committed.", commits.requests)
    page.begin("contacts_broker_commit_seconds", .histogram, "A commit, with its fsync.")
    var below = 0
    for (step, count) in zip(CommitMeter.stepsSeconds, commits.steps) {
      below += count
      page.line("contacts_broker_commit_seconds_bucket{le=\"\(step)\"}", "\(below)")
    }
    page.line("contacts_broker_commit_seconds_bucket{le=\"+Inf\"}", "\(commits.commits)")
    page.line("contacts_broker_commit_seconds_sum", "\(commits.seconds)")
    page.line("contacts_broker_commit_seconds_count", "\(commits.commits)")
    page.begin(
      "contacts_broker_device_lag_revisions", .gauge, "Revisions a connected device lacks.")
    let lags = standing.lags.sorted {
      ($1.value, $0.key.description) < ($0.value, $1.key.description)
    }
    for (device, lag) in lags.prefix(Self.devicesMaximum) {
      page.line("contacts_broker_device_lag_revisions{device=\"\(device)\"}", "\(lag)")
    }
    page.begin("contacts_broker_info", .gauge, "The version, as a label.")
    page.line("contacts_broker_info{version=\"\(ProgramVersion.text)\"}", "1")
    return page.text
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
