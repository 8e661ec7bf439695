// The outcome of planning a modify request. `ModifyPlanner` decides it; the store applies it in the
// transaction that read the rows.

import Records

/// The outcome of planning a modify request.
package enum ModifyPlan: Sendable {
  /// Apply the writes, store the outcome under the request's number, and answer with it.
  case perform(ModifyWrites)
  /// The request was applied before. Answer with its stored outcome.
  case replay(ModifyOutcome)
  /// Answer with the error. No number is used and nothing is written.
  case refuse(RecordsError)
}

/// The writes of one request, in the order in which they must be applied.
package struct ModifyWrites: Sendable {
  /// The outcome of each operation.
  package let outcome: ModifyOutcome
  /// The digest of the request.
  package let fingerprint: UInt128
  /// The highest request number whose outcome the device has; the store may delete outcomes up to it.
  package let acknowledged: RequestNumber
  /// The changes, in order.
  package let writes: [Write]
  /// The records that `writes` delete, in order.
  package let deletions: [Deletion]

  /// One change.
  package enum Write: Hashable, Sendable {
    /// Creates a zone.
    case createZone(StoredZone)
    /// Changes a zone's title.
    case renameZone(StoredZone)
    /// Marks a zone as deleted. A deferred job removes its records once it cannot be restored.
    case deleteZone(StoredZone)
    /// Marks a deleted zone as present, with a new history.
    case restoreZone(StoredZone)
    /// Reports the deletion of a zone to the account's devices again, if its directory no longer lists it.
    /// Written when the account tries to save a zone that was deleted.
    case notifyOfDeletion(ZoneID)
    /// Makes records that were deleted up to the zone's `erasedThrough` unreadable. A deferred job removes
    /// their rows.
    case emptyTrash(StoredZone)
    /// Writes a record's new version, whose tag is the zone's new head. `over` is the version it replaces,
    /// `nil` if the name has no row yet, not even a tombstone.
    case record(zone: ZoneID, Change, over: Change?)
    /// Replaces the assets that the record names. Empty if it named some before and names none now.
    case assets(zone: ZoneID, Change, [Asset])
    /// Replaces the records that the record refers to with `deleteSelf`; `before` are the former ones.
    case parents(zone: ZoneID, RecordName, [RecordName], before: [RecordName])
  }

  /// A deletion among the writes. Records that refer to the deleted one are deleted after the writes.
  package struct Deletion: Hashable, Sendable {
    /// The zone of the deleted record.
    package let zone: ZoneID
    /// The deleted record, with the tag of its tombstone.
    package let parent: Cascade.Parent
    /// The author and time of the deletion.
    package let stamp: Stamp
    /// The operation whose result lists the cascaded records; `nil` if no operation asked for the deletion.
    package let place: Place?
  }

  /// The position of an operation in its request.
  package struct Place: Hashable, Sendable {
    /// The index of the group.
    package let group: Int
    /// The index of the operation in its group.
    package let operation: Int
  }

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
  /// The total bytes of the records that are written.
  package var storedBytes: Int {
    writes.reduce(0) { sum, write in
      guard case .record(_, let change, _) = write else { return sum }
      return sum + change.record.bytes.count
    }
  }

  /// Returns a copy whose outcome lists the records that deletions cascaded to. At most
  /// `Limits.cascadedNamesPerOutcome` names are listed.
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
      outcome: ModifyOutcome(number: outcome.number, groups: groups, time: outcome.time),
      fingerprint: fingerprint, acknowledged: acknowledged, writes: writes, deletions: deletions)
  }
}

extension ModifyWrites.Place: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.group, left.operation) < (right.group, right.operation)
  }
}
