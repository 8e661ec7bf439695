// What a person, an import or another program does on this device. A list of edits is one action:
// one local transaction, durable when it returns, and one atomic group per zone on the broker.

import Records

/// One thing done to a record or a group on this device.
package enum LocalEdit: Hashable, Sendable {
  /// Create or change a record.
  case save(RecordSave)
  /// Delete a record. Deleting what is not there is `unknownItem`.
  case delete(RecordID, version: Int64?)
  /// Make a group. Its zone must be new; draw its name at random.
  case createZone(ZoneID, title: String)
  /// Give a group another title.
  case renameZone(ZoneID, title: String)
  /// Delete a group with everything in it. The broker rejects it if others have changed the group since this device
  /// read it.
  case deleteZone(ZoneID)
  /// Cancel the deletion of a zone that is held, or waits for its records to move elsewhere. Its records come back by
  /// edits of their own.
  case keepZone(ZoneID)
  /// Restore a group that the broker deleted, with everything in it, while the broker keeps it. The records come back
  /// from the broker.
  case restoreZone(ZoneID)
  /// Enter a file that is on this device's disk, so that records may name it; stands before the
  /// save that does.
  case keepAsset(Asset)

  /// A record to create or change.
  package struct RecordSave: Hashable, Sendable {
    /// The record.
    package let id: RecordID
    /// Its type, which never changes.
    package let type: RecordType
    /// What to set and to remove; fields not named stay.
    package let changes: FieldChanges
    /// What must be so, or the edit is refused.
    package let expectation: Expectation
    /// The fields that a new record will probably have, with their encoding; `nil` if they were not encoded in advance.
    let encoding: EncodedFields?
    /// The record's public id; `nil` if it was not made in advance.
    let publicID: PublicID?

    /// Describes a save.
    package init(
      id: RecordID, type: RecordType, changes: FieldChanges, expectation: Expectation = .any,
      encoding: EncodedFields? = nil, publicID: PublicID? = nil
    ) {
      self.encoding = encoding
      self.publicID = publicID
      self.id = id
      self.type = type
      self.changes = changes
      self.expectation = expectation
    }

    /// The files to which the set fields refer.
    package var assets: [Asset] {
      if let encoding, encoding.isOf(changes.set) { return encoding.assets }
      return changes.set.assets
    }

    /// Returns the fields of the record after the save.
    /// - Parameter fields: The fields before it; `nil` if there is no record.
    package func applied(to fields: Fields?) -> Fields {
      fields.map { changes.applied(to: $0) } ?? changes.set
    }
  }

  /// What an edit expects to find.
  package enum Expectation: Hashable, Sendable {
    /// Nothing in particular.
    case any
    /// No such record: else `serverRecordChanged`.
    case absent
    /// The record exists: else `unknownItem`.
    case present
    /// The record as its reader saw it (`RecordView.version`): else `serverRecordChanged`.
    case version(Int64)
  }
}

/// Which value of a conflict stays.
package enum ConflictChoice: String, Hashable, Sendable, CaseIterable {
  /// The value that was set on this device (see `ConflictRecord.value(ofDevice:)`).
  case mine
  /// The value that was set on the other device.
  case theirs
  /// Both stay, where the field can hold both; otherwise refused.
  case both
}
