// A zone that is no longer this account's to see: its records go, and edits that were still on
// their way to it are parked for their author.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum ZoneLoss {
  /// Drops the zone and everything in it.
  static func lose(
    _ zone: ZoneRow, because error: RecordsError, _ transaction: DeviceTransaction
  ) throws {
    let db = transaction.db
    for entry in try OutboxEntry.load(db, where: "zone = ? ORDER BY id", [zone.key]) {
      transaction.ledger.rejected += entry.edits
      try entry.remove(db)
      if let name = entry.name {
        guard let row = try RecordRow.load(db, zone: zone.key, name: name),
          row.layers.type != Conflict.recordType
        else { continue }
        try Parking.park(row.layers, in: zone.zone, because: error, transaction: transaction)
      } else {
        try Parking.park(
          zone.zone, title: zone.title, isDeletion: entry.kind == .deleteZone, because: error,
          transaction: transaction)
      }
    }
    try zone.remove(in: transaction)
    guard zone.state != .deleting else { return }
    try db.run(
      "DELETE FROM action_edit WHERE owner = ? AND zone_name = ?",
      [zone.zone.owner.column, zone.zone.name.column])
    try transaction.append(
      .deleted, type: LocalEvent.groupType, zone: zone.zone, id: zone.zone.name.description,
      title: zone.title, by: .unknown)
  }
}
