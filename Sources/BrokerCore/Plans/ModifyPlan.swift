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
  /// The records that are deleted by them, in order.
  package let deletions: [Deletion]

  /// One write.
  package enum Write: Hashable, Sendable {
    /// A new zone.
    case createZone(StoredZone)
    /// Another title.
    case renameZone(StoredZone)
    /// The zone is gone; its records are reaped later.
    case deleteZone(StoredZone)
    /// Somebody tried to make a zone that was deleted: the account's devices are told of that again, where
    /// its directory names the zone no longer.
    case tellDeletion(ZoneID)
    /// What was deleted up to the zone's `erasedThrough` can no longer be read; its rows are reaped
    /// later.
    case emptyTrash(StoredZone)
    /// A record's newest state. Its tag is the zone's new head; `over` is the state that it takes the
    /// place of, `nil` where the name has no row yet, not even a tombstone's.
    case record(zone: ZoneID, Change, over: Change?)
    /// The assets that the record names from this change on; none if it named some before.
    case assets(zone: ZoneID, Change, [Asset])
    /// The records that the record goes with from this change on, and those it went with before.
    case parents(zone: ZoneID, RecordName, [RecordName], before: [RecordName])
  }

  /// A deletion among the writes: what goes with the record is deleted behind them.
  package struct Deletion: Hashable, Sendable {
    /// The zone.
    package let zone: ZoneID
    /// The record, with its tombstone's tag.
    package let parent: Cascade.Parent
    /// Who deletes it, and when.
    package let stamp: Stamp
    /// Where its result stands; `nil` where nobody asked for it.
    package let place: Place?
  }

  /// Where an operation stands in its request.
  package struct Place: Hashable, Sendable {
    /// The place of the group.
    package let group: Int
    /// The place of the operation within the group.
    package let operation: Int
  }

  /// The writes of a request.
  package init(
    outcome: ModifyOutcome, fingerprint: UInt128, acknowledged: RequestNumber, writes: [Write],
    deletions: [Deletion] = []
  ) {
    self.deletions = deletions
    self.outcome = outcome
    self.fingerprint = fingerprint
    self.acknowledged = acknowledged
    self.writes = writes
  }
}

extension ModifyWrites {
  /// The bytes of the records that the plan writes.
  package var storedBytes: Int {
    writes.reduce(0) { sum, write in
      guard case .record(_, let change, _) = write else { return sum }
      return sum + change.record.bytes.count
    }
  }

  /// The same with what deletions took along written into the outcome: of the names the first
  /// `Limits.cascadedNamesPerOutcome`.
  package func noting(_ cascaded: [Place: CascadedRecords]) -> ModifyWrites {
    guard !cascaded.isEmpty else { return self }
    var groups = outcome.groups
    var room = Limits.cascadedNamesPerOutcome
    for (place, records) in cascaded.sorted(by: { $0.key < $1.key }) {
      guard case .deleted(let tag, _) = groups[place.group][place.operation] else { continue }
      let names = Array(records.names.prefix(room))
      room -= names.count
      groups[place.group][place.operation] = .deleted(
        tag: tag,
        cascaded: CascadedRecords(count: records.count, names: names, goesOn: records.goesOn))
    }
    return ModifyWrites(
      outcome: ModifyOutcome(number: outcome.number, groups: groups), fingerprint: fingerprint,
      acknowledged: acknowledged, writes: writes, deletions: deletions)
  }
}

extension ModifyWrites.Place: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.group, left.operation) < (right.group, right.operation)
  }
}
