// The events that `contactsctl watch` prints: one for each change of what this device shows, made by any device. They
// are numbered without gaps. The log retains the last 10,000.

import Records

/// A change of what the device shows.
package struct LocalEvent: Hashable, Sendable {
  /// The kind of change.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case created, updated, deleted
  }

  /// The sequence number, counted from 1 without gaps, also across restarts.
  package let sequence: Int64
  /// The kind of change.
  package let kind: Kind
  /// The record's type; `LocalEvent.groupType` for a group.
  package let type: RecordType
  /// The zone of the record, or of the group.
  package let zone: ZoneID
  /// The record's name; a group's zone name.
  package let id: String
  /// The title: a record's by the application's rules, or the group's.
  package let title: String
  /// The account that made the change; `nil` if it is unknown.
  package let account: AccountID?
  /// The device that made the change; `nil` if it is unknown.
  package let device: DeviceID?
  /// Whether this device made the change.
  package let isLocal: Bool
  /// The time at which this device stored the change, by its clock.
  package let time: Timestamp

  /// The type in events of groups. No record has it.
  package static let groupType = RecordType(stored: "Group")

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
