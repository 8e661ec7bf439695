// Groups: zones in the order of the device's language, with the numbers of their contacts.

import Collation
import Contacts
import DeviceStore
import GRDB
import Records
import SQLiteFile

/// A group of contacts.
package struct GroupView: Hashable, Sendable {
  /// The zone; `ZoneID.standard` for the standard group.
  package let zone: ZoneID
  /// Its title; empty for the standard group.
  package let title: String
  /// What this account is to it.
  package let role: DirectoryEntry.Role
  /// Whether this account may change its contacts.
  package let isWritable: Bool
  /// Its owner's name; empty for this account's own.
  package let ownerName: String
  /// What people call its owner, also this account; empty until the broker told it.
  package let ownerDisplayName: String
  /// Whether others may see it, or it is another's.
  package let isShared: Bool
  /// The number of its contacts.
  package let contacts: Int
  /// Whether the broker has it as shown.
  package let isSynced: Bool

  init(_ zone: ZoneView, contacts: Int) {
    self.zone = zone.zone
    title = zone.title
    role = zone.role
    isWritable = zone.isWritable
    ownerName = zone.ownerName
    ownerDisplayName = zone.ownerDisplayName
    isShared = zone.isShared
    isSynced = zone.isSynced
    self.contacts = contacts
  }
}

extension DeviceReader {
  /// The groups, the standard one first, then own ones by title, then those of other accounts.
  package func groups() throws -> [GroupView] {
    try read { db in
      let groups = try Self.zones(db).map { row, view in
        GroupView(view, contacts: try Self.contactCount(db, zone: row))
      }
      let ordering = try OrderingRow.load(db)?.current.ordering ?? .of(.neutral)
      return groups.sorted { Self.precedes($0, $1, ordering) }
    }
  }

  private static func precedes(
    _ left: GroupView, _ right: GroupView, _ ordering: ContactCollator
  ) -> Bool {
    if left.zone == .standard || right.zone == .standard { return right.zone != .standard }
    let (leftOwn, rightOwn) = (left.zone.owner == .current, right.zone.owner == .current)
    if leftOwn != rightOwn { return leftOwn }
    if ordering.precedes(left.title, right.title) { return true }
    return !ordering.precedes(right.title, left.title) && left.zone < right.zone
  }

  /// The groups that cards described, oldest first, in one zone or in all; 1,000 at most.
  package func groupRecords(in zone: ZoneID?) throws -> [RecordView] {
    try read { db in
      try db.rows(
        """
        \(Self.recordSelection) WHERE record.type = '\(GroupRecord.type.text)' AND shown IS NOT NULL
        ORDER BY record.id LIMIT \(DeviceLimits.rowsPerList)
        """
      ).map(Self.record).filter { zone == nil || $0.id.zone == zone }
    }
  }

  /// The number of contacts that the device shows.
  package func contactCount() throws -> Int { try read { try Self.contactCount($0) } }
}
