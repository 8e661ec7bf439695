// What `contactsctl watch` prints: one event for each change of what this device shows, whoever
// made it, numbered without gaps. The log keeps the last 10,000.

import Records

/// One change of what the device shows.
package struct LocalEvent: Hashable, Sendable {
  /// What happened to the thing.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case created, updated, deleted
  }

  /// Counted from 1 without gaps; survives restarts.
  package let sequence: Int64
  /// What happened.
  package let kind: Kind
  /// The record's type; `LocalEvent.groupType` for a group.
  package let type: RecordType
  /// The zone it happened in.
  package let zone: ZoneID
  /// The record's name; a group's zone name.
  package let id: String
  /// What people call it: a record's title in the application's rules, a zone's title.
  package let title: String
  /// Who did it; `nil` while the device does not know its own account yet.
  package let account: AccountID?
  /// The device it was done on; `nil` while this device does not know its own id yet.
  package let device: DeviceID?
  /// Whether it was done on this device.
  package let isLocal: Bool
  /// When it landed here, by this device's clock.
  package let time: Timestamp

  /// The type that events of groups carry; no record has it.
  package static let groupType = RecordType(stored: "Group")

  /// Describes a change.
  package init(
    sequence: Int64, kind: Kind, type: RecordType, zone: ZoneID, id: String, title: String,
    account: AccountID?, device: DeviceID?, isLocal: Bool, time: Timestamp
  ) {
    self.sequence = sequence
    self.kind = kind
    self.type = type
    self.zone = zone
    self.id = id
    self.title = title
    self.account = account
    self.device = device
    self.isLocal = isLocal
    self.time = time
  }
}
