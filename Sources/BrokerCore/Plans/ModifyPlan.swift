// What a modify request comes to: decided by ModifyPlanner, carried out by a store in the
// transaction the rows were gathered in.

import Records

/// What a modify request comes to.
package enum ModifyPlan: Sendable {
  /// Carry out the writes, keep the outcome under the number, answer with it.
  case perform(ModifyWrites)
  /// The request was carried out before: answer with what came of it then.
  case replay(ModifyOutcome)
  /// Answer with the error; no number is used and nothing is written.
  case refuse(RecordsError)
}

/// The writes of one request, in the order in which they must be made.
package struct ModifyWrites: Sendable {
  /// What came of each operation.
  package let outcome: ModifyOutcome
  /// The digest of the request.
  package let fingerprint: UInt128
  /// The device may be rid of outcomes up to here.
  package let acknowledged: RequestNumber
  /// What changes.
  package let writes: [Write]

  /// One write.
  package enum Write: Hashable, Sendable {
    /// A new zone.
    case createZone(StoredZone)
    /// Another title.
    case renameZone(StoredZone)
    /// The zone is gone; its records are reaped later.
    case deleteZone(StoredZone)
    /// What was deleted up to the zone's `erasedThrough` can no longer be read; its rows are reaped
    /// later.
    case emptyTrash(StoredZone)
    /// A record's newest state. Its tag is the zone's new head; `over` is the state that it takes the
    /// place of, `nil` where the name has no row yet, not even a tombstone's.
    case record(zone: ZoneID, Change, over: Change?)
    /// The assets that the record names from this change on; none if it named some before.
    case assets(zone: ZoneID, Change, [Asset])
  }

  /// The writes of a request.
  package init(
    outcome: ModifyOutcome, fingerprint: UInt128, acknowledged: RequestNumber, writes: [Write]
  ) {
    self.outcome = outcome
    self.fingerprint = fingerprint
    self.acknowledged = acknowledged
    self.writes = writes
  }
}
