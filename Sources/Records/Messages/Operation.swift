// What a device asks the broker to do to records and zones, and what it is told came of it.

/// One thing to be done within a zone.
package enum Operation: Hashable, Sendable {
  /// Create or change a record.
  case save(Save)
  /// Delete a record. Deleting what is not there succeeds.
  case delete(Delete)
  /// Create the group's zone, or give it another title.
  case saveZone(title: String)
  /// Delete the zone with everything in it. Deleting one that is not there succeeds.
  case deleteZone
  /// Erase what is kept of the zone's records that were deleted at or below a revision.
  case emptyTrash(through: Revision)

  /// A record to create or change: changed fields only.
  package struct Save: Hashable, Sendable {
    /// The record.
    package let name: RecordName
    /// Its type; must be the stored record's where there is one.
    package let type: RecordType
    /// When the save is refused, and what becomes of fields it does not name.
    package let policy: SavePolicy
    /// The tag the device's ancestor has; `nil` says that the record must not exist.
    /// Read by `ifUnchanged` only.
    package let tag: Revision?
    /// The fields to set.
    package let fields: EncodedRecord
    /// The keys of the fields to remove.
    package let removed: [FieldKey]

    /// Describes a save.
    package init(
      name: RecordName, type: RecordType, policy: SavePolicy = .ifUnchanged, tag: Revision?,
      fields: EncodedRecord, removed: [FieldKey] = []
    ) {
      self.name = name
      self.type = type
      self.policy = policy
      self.tag = tag
      self.fields = fields
      self.removed = removed
    }
  }

  /// A record to delete.
  package struct Delete: Hashable, Sendable {
    /// The record.
    package let name: RecordName
    /// The tag the record must have.
    package let tag: Revision?
    /// Whether to delete whatever its tag is.
    package let isForced: Bool
    /// The move that this deletion completes; its tombstone carries it. The record was created in
    /// another zone before.
    package let move: MoveID?

    /// Describes a deletion.
    package init(
      name: RecordName, tag: Revision?, isForced: Bool = false, move: MoveID? = nil
    ) {
      self.name = name
      self.tag = tag
      self.isForced = isForced
      self.move = move
    }
  }
}

/// CloudKit's save policies.
package enum SavePolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// Refused with `serverRecordChanged` when the stored tag is not the given one; fields not named
  /// stay. The default.
  case ifUnchanged = 0
  /// Never refused for its tag; fields not named stay.
  case changedKeys = 1
  /// Never refused for its tag; fields not named go.
  case allKeys = 2
}

/// Operations on one zone that happen all or not at all.
package struct OperationGroup: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneID
  /// What to do, in order.
  package let operations: [Operation]

  /// A group of operations.
  package init(zone: ZoneID, operations: [Operation]) {
    self.zone = zone
    self.operations = operations
  }
}

/// A numbered request to change something.
package struct ModifyRequest: Hashable, Sendable {
  /// The device's number for it, one above the last that had an outcome.
  package let number: RequestNumber
  /// Outcomes up to here are safe on the device; the broker may forget them.
  package let acknowledged: RequestNumber
  /// The groups; each stands or falls alone.
  package let groups: [OperationGroup]

  /// A request.
  package init(number: RequestNumber, acknowledged: RequestNumber, groups: [OperationGroup]) {
    self.number = number
    self.acknowledged = acknowledged
    self.groups = groups
  }

  /// How many operations the groups hold together.
  package var operationCount: Int { groups.reduce(0) { $0 + $1.operations.count } }

  /// A digest of what is asked, without the number: two requests of one number and different
  /// digests come from two devices that think they are the same one.
  package var fingerprint: UInt128 {
    var fingerprint = Fingerprint()
    for group in groups {
      fingerprint.add(group.zone.owner)
      fingerprint.add(group.zone.name)
      fingerprint.add(UInt64(group.operations.count))
      for operation in group.operations { fingerprint.add(operation) }
    }
    return fingerprint.value
  }
}

extension Fingerprint {
  fileprivate mutating func add(_ operation: Operation) {
    switch operation {
    case .save(let save):
      add("save")
      add(save.name.text)
      add(save.type.text)
      add(UInt64(save.policy.rawValue))
      add(UInt64(bitPattern: save.tag?.value ?? -1))
      add(save.fields.bytes)
      add(UInt64(save.removed.count))
      for key in save.removed { add(key.text) }
    case .delete(let delete):
      add("delete")
      add(delete.name.text)
      add(UInt64(bitPattern: delete.tag?.value ?? -1))
      add(UInt64(delete.isForced ? 1 : 0))
      // Only when present: a request of an earlier release keeps its fingerprint across the upgrade.
      if let move = delete.move { add(move) }
    case .saveZone(let title):
      add("saveZone")
      add(title)
    case .deleteZone:
      add("deleteZone")
    case .emptyTrash(let through):
      add("emptyTrash")
      add(UInt64(bitPattern: through.value))
    }
  }
}

/// What came of one operation.
package enum OperationResult: Hashable, Sendable {
  /// The record is saved and has this tag. A save that changed nothing returns the tag it found.
  case saved(tag: Revision)
  /// The record is gone; `nil` if it was not there. With it went what referred to it.
  case deleted(tag: Revision?, cascaded: CascadedRecords = .none)
  /// The zone exists under the title asked for.
  case zoneSaved
  /// The zone is gone.
  case zoneDeleted
  /// What was deleted up to there can no longer be read or brought back.
  case trashEmptied
  /// Nothing was done. With `serverRecordChanged`, the record as the broker has it: `nil` when the
  /// broker has none.
  case failed(RecordsError, serverRecord: Change?)
}

/// What came of a request: one result an operation, grouped as it was asked.
package struct ModifyOutcome: Hashable, Sendable {
  /// The request.
  package let number: RequestNumber
  /// The results, group by group.
  package let groups: [[OperationResult]]

  /// The reason of a `serverRecordChanged` whose record was left out, for its size or because it may no
  /// longer be read: fetch it.
  package static let omittedReason = "omitted"

  /// The outcome of a request.
  package init(number: RequestNumber, groups: [[OperationResult]]) {
    self.number = number
    self.groups = groups
  }
}
