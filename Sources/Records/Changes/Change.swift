// The one unit of store, feed and sync: the newest state of one record, with who set it. The
// record's own bytes stay closed while a change travels; only who needs the fields opens them.

/// The newest state of one record, as stored, fed and received.
package struct Change: Hashable, Sendable {
  /// What happened to the record.
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// It exists and `record` is its content.
    case saved = 0
    /// It was deleted; this is its tombstone.
    case deleted = 1
    /// It may no longer be seen by the receiver; nothing is said about its existence.
    case evicted = 2
  }

  /// The record's name within the zone of the frame or page that carries the change.
  package let name: RecordName
  /// The revision that made this state: the record's change tag.
  package let tag: Revision
  /// What happened.
  package let kind: Kind
  /// The record's type; a tombstone keeps the type of what was deleted.
  package let type: RecordType
  /// When the record was made and by whom.
  package let created: Stamp
  /// When this state was set and by whom.
  package let modified: Stamp
  /// The fields, closed; empty for a tombstone or an eviction.
  package let record: EncodedRecord
  /// The move that a tombstone belongs to; `nil` for a record that was deleted and not moved. It does
  /// not say where the record went: a reader of this zone may have no right to know.
  package let move: MoveID?

  /// Describes a record's newest state.
  package init(
    name: RecordName, tag: Revision, kind: Kind, type: RecordType, created: Stamp,
    modified: Stamp, record: EncodedRecord, move: MoveID? = nil
  ) {
    self.name = name
    self.tag = tag
    self.kind = kind
    self.type = type
    self.created = created
    self.modified = modified
    self.record = record
    self.move = move
  }
}

/// When something was done, by the broker's clock, and by which request.
package struct Stamp: Hashable, Sendable {
  /// The broker's time; shown to people, never compared.
  package let time: Timestamp
  /// The request that did it.
  package let origin: Origin

  /// A moment and its cause.
  package init(time: Timestamp, origin: Origin) {
    self.time = time
    self.origin = origin
  }
}

/// The request that made a change. A device finds its own number here and knows the change for
/// the outcome of what it sent.
package struct Origin: Hashable, Sendable {
  /// The person.
  package let account: AccountID
  /// The person's device.
  package let device: DeviceID
  /// The device's number for the request.
  package let request: RequestNumber

  /// Names a request of a device.
  package init(account: AccountID, device: DeviceID, request: RequestNumber) {
    self.account = account
    self.device = device
    self.request = request
  }
}
