// Handles a group that becomes read-only for this account. Its unsent edits are rejected at once, without asking the
// broker, so that the device shows what the other participants see, also while it is offline. Edits that are in
// flight keep waiting for their outcome, because only the broker knows whether they or the change of permission came
// first.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// Rejects the unsent edits of a group that has become read-only.
enum ReadOnlyTurn {
  /// Moves the unsent edits of the zone to the rejected edits.
  static func rejectUnsent(_ zone: ZoneRow, _ transaction: DeviceTransaction) throws {
    let error = RecordsError(
      .permissionFailure,
      "The account no longer has permission to change the zone “\(zone.title)”.",
      hint: "Ask its owner for write permission.", reason: "nowReadOnly", title: zone.title)
    let resolution = EntryResolution(transaction, zone: zone)
    let unsent = try OutboxEntry.load(
      transaction.db, where: "zone = ? AND number IS NULL ORDER BY id", [zone.key])
    for entry in unsent {
      let row = try entry.name.flatMap {
        try RecordRow.load(transaction.db, zone: zone.key, name: $0)
      }
      // An edit made after one that is in flight is rejected together with that one.
      guard row?.layers.inFlight == nil, entry.kind.isRecord || entry.kind == .emptyTrash else {
        continue
      }
      try resolution.refuse(entry, row, because: error)
    }
  }
}
