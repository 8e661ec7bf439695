// A change is the unit of storage, feed and synchronization. The record's fields stay encoded while
// a change travels; only code that needs the fields decodes them.

/// The newest state of one record, as stored and as sent in a feed.
package struct Change: Hashable, Sendable {
  /// The kinds of state a record can have for a reader.
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// The record exists; `record` contains its fields.
    case saved = 0
    /// The record was deleted; the change is its tombstone.
    case deleted = 1
    /// The receiver may no longer read the record. Says nothing about whether the record exists.
    case evicted = 2
  }

  /// The record's name in its zone. The frame or page that carries the change names the zone.
  package let name: RecordName
  /// The zone's revision after this change, which is the record's change tag.
  package let tag: Revision
  /// Whether the record was saved, deleted or evicted.
  package let kind: Kind
  /// The record's type. A tombstone has the type of the deleted record.
  package let type: RecordType
  /// When and by which request the record was created.
  package let created: Stamp
  /// When and by which request this state was produced.
  package let modified: Stamp
  /// The encoded fields; empty for a tombstone or an eviction.
  package let record: EncodedRecord
  /// The move that this tombstone belongs to, or `nil` if the record was deleted without being
  /// moved. It does not name the destination, because a reader of this zone may not be allowed to
  /// read it.
  package let move: MoveID?
  /// What the state contains of former histories, if a device saved it from one after the broker was restored.
  package let former: FormerVersion?

  package init(
    name: RecordName, tag: Revision, kind: Kind, type: RecordType, created: Stamp,
    modified: Stamp, record: EncodedRecord, move: MoveID? = nil, former: FormerVersion? = nil
  ) {
    self.name = name
    self.tag = tag
    self.kind = kind
    self.type = type
    self.created = created
    self.modified = modified
    self.record = record
    self.move = move
    self.former = former
  }
}

/// The broker's time of an action and the request that caused it.
package struct Stamp: Hashable, Sendable {
  /// The broker's time. It is displayed to users and never used to order changes.
  package let time: Timestamp
  /// The request that caused the action.
  package let origin: Origin

  package init(time: Timestamp, origin: Origin) {
    self.time = time
    self.origin = origin
  }
}

/// The request that made a change. A device that finds its own id and request number here treats
/// the change as the outcome of that request.
package struct Origin: Hashable, Sendable {
  /// The account that sent the request.
  package let account: AccountID
  /// The device that sent the request.
  package let device: DeviceID
  /// The request's number on that device.
  package let request: RequestNumber

  package init(account: AccountID, device: DeviceID, request: RequestNumber) {
    self.account = account
    self.device = device
    self.request = request
  }
}
