import BrokerCore
import Records
import Synchronization

/// A state of a record that does not match its checksum.
package struct DamagedState: Hashable, Sendable {
  /// The row of its zone.
  package let zone: Int64
  /// The stored name, which may itself be damaged.
  package let name: String
  /// The stored revision, which may itself be damaged.
  package let revision: Int64
}

/// The damaged states that a store has read. Readers skip them, because one lost record must not keep a
/// device from the others. The list reports each state once, so that the operator learns of it;
/// `contacts-broker check` finds all of them.
package final class DamageList: Sendable {
  /// The damaged states that are listed and reported. With more, single reports do not help the operator.
  private static let statesMaximum = 1000

  private let reported = Mutex<Set<DamagedState>>([])
  /// The damaged records that were left out of the feeds of zones.
  private let withheld = Mutex<[StoreKey: Set<RecordName>]>([:])
  private let report: @Sendable (DamagedState) -> Void

  /// Creates a list that calls `report` with each state the first time it is added.
  init(report: @escaping @Sendable (DamagedState) -> Void) {
    self.report = report
  }

  /// Adds a damaged state and reports it, if it is new.
  func note(_ state: DamagedState) {
    let isNew = reported.withLock {
      $0.count < Self.statesMaximum && $0.insert(state).inserted
    }
    if isNew { report(state) }
  }

  /// Adds a record that was left out of its zone's feed. Ignores it if the zone has `Limits.lostNames`
  /// already, or if too many zones are listed.
  func withhold(_ name: RecordName, in zone: StoreKey) {
    withheld.withLock { zones in
      guard zones[zone, default: []].count < Limits.lostNames, zones.count < Self.statesMaximum
      else { return }
      zones[zone, default: []].insert(name)
    }
  }

  /// The records that were left out of a zone's feed, up to `Limits.lostNames`.
  func withheldNames(in zone: StoreKey) -> Set<RecordName> {
    withheld.withLock { $0[zone] ?? [] }
  }
}
