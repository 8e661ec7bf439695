// Empties the trash. The device erases its own rows at once. An outbox entry after the deletions asks the broker to
// do the same, and the broker informs the other devices through the directory.

import GRDB
import Records
import SQLiteFile
import SyncCore

extension EditApplication {
  /// Erases the stored versions of deleted records. Returns how many records were in the trash.
  mutating func emptyTrash(of only: ZoneID?) throws -> Int {
    var erased = try only == nil ? eraseDeletedGroups() : 0
    for zone in try zonesToEmpty(only) {
      erased += try PastTable(transaction).eraseDeleted(in: zone)
      // The broker does not have a zone that is still being created, so there is nothing to erase.
      guard zone.state == .present else { continue }
      try enter(.emptyTrash, zone, title: nil)
    }
    return erased
  }

  private func zonesToEmpty(_ only: ZoneID?) throws -> [ZoneRow] {
    if let only {
      let zone = try writable(only)
      guard zone.role == .owner else {
        throw RecordsError(
          .permissionFailure, "Only its owner can empty the trash of the zone “\(zone.title)”.",
          hint: "Ask its owner.", reason: "trashNotOwned", title: zone.title)
      }
      return [zone]
    }
    return try ZoneRow.all(transaction.db).filter {
      $0.state.isShown && $0.role == .owner && !$0.zone.isPublic
    }
  }
}

extension ZoneRow {
  /// The newest deletion that this device knows of. Emptying the trash erases deletions through this revision.
  func knownDeletions(_ db: Database) throws -> Revision {
    let tag = try db.number(
      "SELECT max(tag) FROM record WHERE zone = ? AND shown IS NULL", [key])
    return max(token?.revision ?? .zero, Revision(Int64(tag)))
  }

  /// Erases the stored versions of records deleted through `revision`, because the trash was emptied there.
  mutating func noteErasure(
    through revision: Revision, _ transaction: DeviceTransaction
  ) throws {
    guard revision > erasedThrough else { return }
    erasedThrough = revision
    try store(transaction.db)
    try PastTable(transaction).eraseDeleted(in: self, through: revision)
  }
}
