// What a store found damaged when it read it. Readers leave such states out and go on: one record
// that is lost must not keep a device from all the others. So that it is not lost in silence too,
// each is told once to whoever runs the store; `contacts-broker check` finds them all.

import BrokerCore
import Records
import Synchronization

/// A state of a record that is not as it was written.
package struct DamagedState: Hashable, Sendable {
  /// The row of its zone.
  package let zone: Int64
  /// Its name, as it can be read.
  package let name: String
  /// Its revision, as it can be read.
  package let revision: Int64
}

/// The damaged states that were met, each told once.
final class DamageList: Sendable {
  /// More than this are not remembered, and not told any more: the disk is beyond a list.
  private static let statesMaximum = 1000

  private let met = Mutex<Set<DamagedState>>([])
  /// The records that were left out of a zone's feed.
  private let withheld = Mutex<[StoreKey: Set<RecordName>]>([:])
  private let report: @Sendable (DamagedState) -> Void

  /// A list that tells `report` of each state the first time it is met.
  init(report: @escaping @Sendable (DamagedState) -> Void) {
    self.report = report
  }

  /// Takes down a state.
  func note(_ state: DamagedState) {
    let isNew = met.withLock {
      $0.count < Self.statesMaximum && $0.insert(state).inserted
    }
    if isNew { report(state) }
  }

  /// Takes down that a record was left out of its zone's feed.
  func withhold(_ name: RecordName, in zone: StoreKey) {
    withheld.withLock { zones in
      guard zones[zone, default: []].count < Limits.lostNames, zones.count < Self.statesMaximum
      else { return }
      zones[zone, default: []].insert(name)
    }
  }

  /// What was left out of a zone's feed, as far as it is known; nothing where that is more than can be told.
  func withheldNames(in zone: StoreKey) -> Set<RecordName> {
    withheld.withLock { $0[zone] ?? [] }
  }
}
