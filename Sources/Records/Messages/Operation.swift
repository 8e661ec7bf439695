// The operations of a modify request on records and zones, and their results.

/// An operation in one zone.
package enum Operation: Hashable, Sendable {
  /// Creates or changes a record.
  case save(Save)
  /// Deletes a record. Deleting a record that does not exist succeeds.
  case delete(Delete)
  /// Creates the zone, or changes its title. With the revision of a title of a former history, changes it only if the
  /// present title is older.
  case saveZone(title: String, former: Revision? = nil)
  /// Deletes the zone with all its records. Deleting a zone that does not exist succeeds. With a token, the deletion is
  /// rejected with the reason `zoneChanged` if another device has saved a record after the token's position, and deletes
  /// nothing that its author had not received. A deletion that is repeated after a restore has what its author had read of
  /// all histories.
  case deleteZone(ifUnchangedSince: ChangeToken? = nil, former: VersionVector = VersionVector())
  /// Restores a deleted zone of the account with its records, while the broker keeps them. The zone is no longer shared.
  /// Restoring a zone that exists succeeds.
  case restoreZone
  /// Erases the retained versions of the zone's records that were deleted at or below a revision. Erases a deleted
  /// zone whole, if nothing was saved or deleted in it after this revision.
  case emptyTrash(through: Revision)

  /// A record to create or change. It contains only the changed fields.
  package struct Save: Hashable, Sendable {
    /// The record's name.
    package let name: RecordName
    /// The record's type; must equal the stored record's type if the record exists.
    package let type: RecordType
    /// Determines when the save is rejected, and whether fields that it does not name are retained.
    package let policy: SavePolicy
    /// The tag of the version that was edited; `nil` means that the record must not exist. Used
    /// only with `ifUnchanged`.
    package let tag: Revision?
    /// The fields to set.
    package let fields: EncodedRecord
    /// The keys of the fields to remove.
    package let removed: [FieldKey]
    /// The state of a former history that the saved state contains, or is; `nil` for an ordinary edit. If the broker's
    /// state contains it already, the save is rejected with `serverRecordChanged`.
    package let former: FormerVersion?

    package init(
      name: RecordName, type: RecordType, policy: SavePolicy = .ifServerRecordUnchanged,
      tag: Revision?,
      fields: EncodedRecord, removed: [FieldKey] = [], former: FormerVersion? = nil
    ) {
      self.former = former
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
    /// The record's name.
    package let name: RecordName
    /// The tag that the record must have.
    package let tag: Revision?
    /// Whether to delete the record regardless of its tag.
    package let isForced: Bool
    /// The move that this deletion completes. The tombstone carries its id. The record has already
    /// been created in another zone.
    package let move: MoveID?
    /// The deletion of a former history that this one repeats; `nil` for a deletion by a person.
    package let former: FormerVersion?

    package init(
      name: RecordName, tag: Revision?, isForced: Bool = false, move: MoveID? = nil,
      former: FormerVersion? = nil
    ) {
      self.former = former
      self.name = name
      self.tag = tag
      self.isForced = isForced
      self.move = move
    }
  }
}

/// Whether a save checks the change tag, and which fields it replaces. CloudKit:
/// `CKModifyRecordsOperation.RecordSavePolicy`.
public enum SavePolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// Sends the changed fields and leaves other fields as they are. The broker rejects the save with `serverRecordChanged`
  /// if the record was changed since it was fetched. The default.
  case ifServerRecordUnchanged = 0
  /// Sends the changed fields and leaves other fields as they are, without checking the change tag.
  case changedKeys = 1
  /// Replaces all fields and removes those that the record does not have, without checking the change tag.
  case allKeys = 2
}

/// Operations on one zone that are applied atomically.
package struct OperationGroup: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneID
  /// The operations, in order.
  package let operations: [Operation]

  package init(zone: ZoneID, operations: [Operation]) {
    self.zone = zone
    self.operations = operations
  }
}

/// A numbered request to change records and zones.
package struct ModifyRequest: Hashable, Sendable {
  /// The request's number, one above the device's previous request.
  package let number: RequestNumber
  /// The device has stored outcomes up to this number, so the broker may discard them.
  package let acknowledged: RequestNumber
  /// The groups; each succeeds or fails independently.
  package let groups: [OperationGroup]

  package init(number: RequestNumber, acknowledged: RequestNumber, groups: [OperationGroup]) {
    self.number = number
    self.acknowledged = acknowledged
    self.groups = groups
  }

  /// The number of operations in all groups.
  package var operationCount: Int { groups.reduce(0) { $0 + $1.operations.count } }

  /// A digest of the request without its number. If two requests of one number have different
  /// digests, two devices are using the same identity.
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
  /// Adds nothing for an ordinary edit.
  private mutating func add(_ former: FormerVersion?) {
    guard let former else { return }
    add(UInt64(former.isExact ? 1 : 0))
    add(former.versions.bytes)
  }

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
      add(save.former)
    case .delete(let delete):
      add("delete")
      add(delete.name.text)
      add(UInt64(bitPattern: delete.tag?.value ?? -1))
      add(UInt64(delete.isForced ? 1 : 0))
      if let move = delete.move { add(move) }
      add(delete.former)
    case .saveZone(let title, let former):
      add("saveZone")
      add(title)
      if let former { add(UInt64(bitPattern: former.value)) }
    case .deleteZone(let token, let former):
      add("deleteZone")
      guard let token else { return }
      add(token.incarnation)
      add(UInt64(bitPattern: token.revision.value))
      if !former.isEmpty { add(former.bytes) }
    case .restoreZone: add("restoreZone")
    case .emptyTrash(let through):
      add("emptyTrash")
      add(UInt64(bitPattern: through.value))
    }
  }
}

/// The result of one operation.
package enum OperationResult: Hashable, Sendable {
  /// The record was saved and has this tag. A save that changes nothing returns the existing tag.
  case saved(tag: Revision)
  /// The record was deleted, together with records that refer to it; `tag` is `nil` if it did not
  /// exist.
  case deleted(tag: Revision?, cascaded: CascadedRecords = .none)
  /// The zone exists with the requested title.
  case zoneSaved
  /// The zone no longer exists.
  case zoneDeleted
  /// Records deleted up to the given revision can no longer be read or restored.
  case trashEmptied
  /// The operation changed nothing. With `serverRecordChanged`, `serverRecord` is the broker's
  /// record, or `nil` if it has none.
  case failed(RecordsError, serverRecord: Change?)
}

/// The outcome of a request: one result per operation, in the request's groups.
package struct ModifyOutcome: Hashable, Sendable {
  /// The request's number.
  package let number: RequestNumber
  /// The results, group by group.
  package let groups: [[OperationResult]]
  /// The time that the saves of the request have in their stamps; `nil` only if every operation failed because the
  /// broker's store rejected the request. With it, a device knows the stamps of its own records before they come back in the feed.
  package let time: Timestamp?

  /// The reason of a `serverRecordChanged` error without the broker's record, because the record was
  /// too large or the account may no longer read it. The client fetches the record.
  package static let omittedReason = "omitted"

  package init(number: RequestNumber, groups: [[OperationResult]], time: Timestamp? = nil) {
    self.number = number
    self.groups = groups
    self.time = time
  }
}
