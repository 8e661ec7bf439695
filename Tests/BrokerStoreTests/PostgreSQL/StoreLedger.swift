// What a store acknowledged while faults happened, and whether its tables agree.

import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import Records

/// The acknowledged requests of all devices, and what the broker would have told other devices.
struct StoreLedger {
  /// The state of a record.
  struct Write: Hashable {
    let name: String
    let isDeletion: Bool
  }

  /// The acknowledged changes of a zone, by revision.
  private(set) var writes: [ZoneID: [Int64: Write]] = [:]
  /// The acknowledged requests with their outcomes.
  private(set) var outcomes: [(request: StorageRequest, outcome: ModifyOutcome)] = []
  /// What was read meanwhile.
  private var seen: [ZoneID: [Int64: Write]] = [:]
  /// The last revision of each zone that the feeds in memory know.
  private var published: [ZoneID: Revision] = [:]
  private(set) var problems: [String] = []

  /// The newest acknowledged state of each record of a zone, by name.
  func newest(in zone: ZoneID) -> [String: Int64] {
    let newestFirst = (writes[zone] ?? [:]).sorted { $0.key > $1.key }
    return Dictionary(newestFirst.map { ($0.value.name, $0.key) }) { newest, _ in newest }
  }

  func isDeletion(_ tag: Int64, in zone: ZoneID) -> Bool {
    writes[zone]?[tag]?.isDeletion ?? false
  }

  /// Notes a problem.
  mutating func report(_ problem: String) {
    problems.append(problem)
  }

  /// Enters a record that was there before the faults.
  mutating func enterFirst(_ name: String, at tag: Revision, in zone: ZoneID) {
    enter(Write(name: name, isDeletion: false), at: tag.value, in: zone)
    published[zone] = tag
  }

  /// Enters the first outcome of a request.
  mutating func acknowledge(
    _ request: StorageRequest, _ outcome: ModifyOutcome, _ effects: CommitEffects,
    by account: AccountID
  ) {
    outcomes.append((request, outcome))
    guard case .client(.modify(let modify), _) = request else { return }
    for (group, results) in zip(modify.groups, outcome.groups) {
      let zone = group.zone.resolved(for: account)
      for (operation, result) in zip(group.operations, results) {
        enter(operation, result, in: zone)
      }
    }
    for commit in effects.zones { publish(commit) }
  }

  private mutating func enter(_ operation: Operation, _ result: OperationResult, in zone: ZoneID) {
    switch (operation, result) {
    case (.save(let save), .saved(let tag)):
      enter(Write(name: save.name.text, isDeletion: false), at: tag.value, in: zone)
    case (.delete(let delete), .deleted(let tag?, _)):
      enter(Write(name: delete.name.text, isDeletion: true), at: tag.value, in: zone)
    case (_, .failed(let error, _))
    where ![.serverRecordChanged, .batchRequestFailed].contains(error.code):
      report("An operation failed: \(error)")
    default: break
    }
  }

  private mutating func enter(_ write: Write, at tag: Int64, in zone: ZoneID) {
    if let other = writes[zone]?[tag] {
      report("Revision \(tag) of \(zone) is of \(other) and of \(write).")
    }
    writes[zone, default: [:]][tag] = write
  }

  /// A feed in memory continues where it ended. After a gap, devices would miss changes.
  private mutating func publish(_ commit: ZoneCommit) {
    let last = published[commit.zone.id] ?? commit.from
    if last != commit.from {
      report("The feed of \(commit.zone.id) continues after \(commit.from), not after \(last).")
    }
    published[commit.zone.id] = commit.changes.last?.tag ?? commit.from
  }

  /// Notes what a device has read.
  mutating func see(_ page: FeedPage, of zone: ZoneID) {
    for change in page.changes {
      let write = Write(name: change.name.text, isDeletion: change.kind == .deleted)
      seen[zone, default: [:]][change.tag.value] = write
    }
  }

  /// Compares the final feed of a zone with what was acknowledged, told and read.
  mutating func compare(_ changes: [Change], head: Revision, of zone: ZoneID) {
    let acknowledged = writes[zone] ?? [:]
    if acknowledged.keys.sorted() != Array(stride(from: 1, through: head.value, by: 1)) {
      report("The revisions of \(zone) up to \(head) are not those that were acknowledged.")
    }
    if published[zone] ?? .zero != head {
      report("The feed in memory of \(zone) ends before \(head).")
    }
    if changes.map(\.tag.value) != newest(in: zone).values.sorted() {
      report("The feed of \(zone) has other revisions than the newest ones.")
    }
    for change in changes {
      let write = Write(name: change.name.text, isDeletion: change.kind == .deleted)
      if acknowledged[change.tag.value] != write {
        report("\(change.tag) of \(zone) is \(write), not what was acknowledged.")
      }
    }
    for (tag, write) in seen[zone] ?? [:] where acknowledged[tag] != write {
      report("\(write) was read at \(tag) of \(zone) and not acknowledged.")
    }
  }
}
