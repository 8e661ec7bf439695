import FoundationEssentials
import Records

/// A deleted zone of the account that can be restored. See `Database.restoreZone(withID:)`.
public struct DeletedZone: Hashable, Sendable, Identifiable {
  /// The zone's id.
  public let id: ZoneID
  /// The zone's title.
  public let title: String
  /// When the zone was deleted.
  public let deletionDate: Date
  /// The number of records in the zone, of all types.
  public let recordCount: Int

  /// Describes a deleted zone.
  package init(id: ZoneID, title: String, deletion: ZoneDeletion) {
    self.id = id
    self.title = title
    deletionDate = Date(deletion.time)
    recordCount = deletion.recordCount
  }

  /// Returns `nil` for an entry of another zone.
  init?(_ entry: DirectoryEntry, account: AccountID) {
    guard let deletion = entry.deletion else { return nil }
    self.init(id: ZoneID(entry.zone, seenBy: account), title: entry.title, deletion: deletion)
  }
}
