// What the device tells its callers: plain values, read in one read transaction each, safe to pass
// between tasks.

import Records
import SyncCore

/// A record as this device shows it.
package struct RecordView: Hashable, Sendable {
  /// The record.
  package let id: RecordID
  /// Its type.
  package let type: RecordType
  /// Its fields.
  package let fields: Fields
  /// A number that changes with each change of what is shown: the ETag of the agent's API.
  package let version: Int64
  /// Whether the broker has exactly this.
  package let isSynced: Bool
  /// When it was made: the broker's time, or this device's until the broker has it.
  package let created: Timestamp
  /// The account that created it; `nil` for this account before it is known.
  package let createdAccount: AccountID?
  /// When it was changed last: the broker's time, or this device's until the broker has it.
  package let modified: Timestamp
  /// Who changed it last; `nil` for this account before it is known.
  package let modifiedAccount: AccountID?
  /// The device that changed it last; `nil` for this device before it is known.
  package let modifiedDevice: DeviceID?
  /// The id by which people and programs name it.
  package let publicID: PublicID

  /// Returns the view of a record with other fields.
  package func replacing(_ fields: Fields) -> RecordView {
    RecordView(
      id: id, type: type, fields: fields, version: version, isSynced: isSynced, created: created,
      createdAccount: createdAccount, modified: modified, modifiedAccount: modifiedAccount,
      modifiedDevice: modifiedDevice, publicID: publicID)
  }

  /// Returns the view with only some of the fields.
  package func selecting(_ keys: [FieldKey]) -> RecordView {
    replacing(Fields(keys.compactMap { key in fields[key].map { (key, $0) } }))
  }
}

/// A zone as this device shows it.
package struct ZoneView: Hashable, Sendable {
  /// The zone; `ZoneID.standard` for the standard one.
  package let zone: ZoneID
  /// Its title; empty for the standard zone.
  package let title: String
  /// What this account is to it.
  package let role: DirectoryEntry.Role
  /// Whether this account may change its records.
  package let isWritable: Bool
  /// Its owner's name; empty for this account's own.
  package let ownerName: String
  /// What people call its owner, also this account; empty until the broker told it.
  package let ownerDisplayName: String
  /// Whether others may see it, or it is another's.
  package let isShared: Bool
  /// Whether the broker has it as shown.
  package let isSynced: Bool
}

/// Two edits that could not both stay.
package struct ConflictView: Hashable, Sendable {
  /// The conflict's own record.
  package let id: RecordID
  /// The record it is about.
  package let record: RecordID
  /// That record's type.
  package let recordType: RecordType
  /// What people call that record.
  package let title: String
  /// What kind of conflict.
  package let kind: ConflictRecord.Kind
  /// The field, where it is about one.
  package let field: FieldKey?
  /// The entry of the field, where it is about one.
  package let entry: EntryID?
  /// The scalar inside the entry, where it is about one.
  package let entryField: FieldKey?
  /// The value that lost.
  package let losing: Value?
  /// The value that stayed when the conflict arose.
  package let winning: Value?
  /// Which of the two was set on this device; see `ConflictRecord.value(ofDevice:)`.
  package let mine: ConflictRecord.Value
  /// Where the value that lost was set.
  package let loser: ConflictRecord.Side
  /// Where the value that stayed was set.
  package let winner: ConflictRecord.Side
  /// When it was found, by the clock of the device that found it.
  package let found: Timestamp
}

/// An edit that the broker refused, or whose zone is gone. It is no longer sent.
package struct RejectedEditView: Hashable, Sendable {
  /// The rejected edit's number on this device.
  package let id: Int64
  /// The record, or the group when `name` is `nil`.
  package let zone: ZoneID
  /// The record.
  package let name: RecordName?
  /// What people call it.
  package let title: String
  /// Why.
  package let code: RecordsError.Code
  /// Why, in a sentence.
  package let message: String
  /// What had been typed: fields set and removed; empty for a deletion.
  package let changes: FieldChanges
  /// Whether the edit was a deletion.
  package let isDeletion: Bool
  /// When it was rejected, by this device's clock.
  package let time: Timestamp
}

/// How the device is.
package struct DeviceStatus: Hashable, Sendable {
  /// The account's id, once the broker told it.
  package let account: AccountID?
  /// The account's name.
  package let accountName: String?
  /// This device's id, once the broker gave it.
  package let device: DeviceID?
  /// This device's name.
  package let deviceName: String
  /// Records, groups and subscriptions with edits that the broker has not confirmed; what the device adds by
  /// itself (conflicts, the mark of the import) does not count.
  package let waitingEdits: Int
  /// All that the broker has still to confirm, the device's own additions included; 0 when the
  /// outbox is empty.
  package let waitingEntries: Int
  /// Of these, deletions held back by the guard.
  package let heldDeletions: Int
  /// When the device had last read and sent everything.
  package let lastSync: Timestamp?
  /// Unresolved conflicts.
  package let conflicts: Int
  /// Edits that were refused.
  package let rejectedEdits: Int
  /// Subscriptions that the broker refused or switched off.
  package let unheldSubscriptions: Int
  /// Notifications that raise the badge and were not seen.
  package let badge: Int
  /// The number of the newest event.
  package let lastEvent: Int64
  /// What became of all edits made here.
  package let ledger: EditLedger
}
