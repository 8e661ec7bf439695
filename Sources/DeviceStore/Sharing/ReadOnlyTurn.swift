// A group that this account may only read from now on. What waits for it is parked at once, not when
// the broker says no: what people see is what everybody sees, also while the device is away. What is
// under way already has its answer from the broker, which alone knows which came first.

import GRDB
import Records
import SQLiteFile
import SyncCore

enum ReadOnlyTurn {
  /// Parks what was not sent yet.
  static func park(_ zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    let error = RecordsError(
      .permissionFailure, "You no longer have permission to change the group “\(zone.title)”.",
      hint: "Ask its owner for write permission.")
    let ending = EntryEnding(transaction, zone: zone)
    let unsent = try OutboxEntry.load(
      transaction.db, where: "zone = ? AND number IS NULL ORDER BY id", [zone.key])
    for entry in unsent {
      let row = try entry.name.flatMap {
        try RecordRow.load(transaction.db, zone: zone.key, name: $0)
      }
      // What was typed behind an edit that is under way is told with it.
      guard row?.layers.inFlight == nil, entry.kind.isRecord || entry.kind == .emptyTrash else {
        continue
      }
      try ending.refuse(entry, row, because: error)
    }
  }
}
