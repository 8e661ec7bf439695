// Emptying the trash. What this device keeps goes at once; the broker is told by an entry of the
// outbox, behind the deletions it is about, and tells the other devices through the directory.

import GRDB
import Records
import SQLiteFile
import SyncCore

extension EditApplication {
  /// Erases what is kept of deleted records. Returns how many there were in the trash.
  mutating func emptyTrash(of only: ZoneID?) throws -> Int {
    var erased = 0
    for zone in try zonesToEmpty(only) {
      erased += try PastTable(transaction).eraseDeleted(in: zone)
      // A zone that the broker never had has nothing there to erase.
      guard zone.state == .present else { continue }
      try enter(.emptyTrash, zone, title: nil)
    }
    return erased
  }

  private func zonesToEmpty(_ only: ZoneID?) throws -> [ZoneRow] {
    if let only { return [try writable(only)] }
    return try ZoneRow.all(transaction.db).filter {
      $0.state != .deleting && $0.isWritable && !$0.zone.isPublic
    }
  }
}

extension ZoneRow {
  /// Up to where this device knows of deletions: what an emptied trash covers.
  func knownDeletions(_ db: Database) throws -> Revision {
    let tag = try db.number(
      "SELECT max(tag) FROM record WHERE zone = ? AND shown IS NULL", [key])
    return max(token?.revision ?? .zero, Revision(Int64(tag)))
  }

  /// The trash was emptied up to `revision`: what is kept of it here goes.
  mutating func noteErasure(
    through revision: Revision, _ transaction: DeviceTransaction
  ) throws {
    guard revision > erasedThrough else { return }
    erasedThrough = revision
    try store(transaction.db)
    try PastTable(transaction).eraseDeleted(in: self, through: revision)
  }
}
