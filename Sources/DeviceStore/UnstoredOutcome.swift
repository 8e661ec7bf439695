// What becomes of an edit whose outcome this device cannot store, because a rule of the tables refuses
// the row. Applying the outcome again would fail again, for ever, and keep all other edits waiting.
// So the edit leaves the outbox, the record stays as it is shown, and the log reports the number.

import GRDB
import Records
import SQLiteFile
import SyncCore

/// Sets entries aside whose outcome cannot be stored.
struct UnstoredOutcome {
  private let transaction: DeviceTransaction

  init(_ transaction: DeviceTransaction) { self.transaction = transaction }

  private var db: Database { transaction.db }

  /// Ends the entry with as few writes as possible.
  ///
  /// The broker has an edit that it took, and the feed brings it again with the record's next change.
  /// An edit that it did not take is listed as rejected, with what was typed.
  /// - Throws: what cannot be ascribed to one record.
  func setAside(_ entry: OutboxEntry, _ result: OperationResult?, because error: any Error) throws {
    guard try entry.isStored(db) else { return }
    if case .failed = result {
      transaction.ledger.rejected += entry.edits
      try entry.remove(transaction)
      try parkIfPossible(entry, Self.reason(error))
      try land(entry, "ancestor")
    } else {
      try EntryResolution.apply(entry, transaction)
      try land(
        entry,
        """
        iif(flight_is_shown, (SELECT shown FROM record WHERE id = layer.record), flight_fields)
        """)
    }
  }

  /// Ends the flight of the record's edit: later edits build on what the broker has of it now.
  private func land(_ entry: OutboxEntry, _ ancestor: String) throws {
    guard let name = entry.name, let number = entry.number else { return }
    try db.run(
      """
      UPDATE layer SET ancestor = \(ancestor), flight = NULL, flight_fields = NULL, flight_is_shown = 0
      WHERE flight = ? AND record IN (SELECT id FROM record WHERE zone = ? AND name = ?)
      """, [number.value, entry.zone, name.text])
  }

  private func parkIfPossible(_ entry: OutboxEntry, _ error: RecordsError) throws {
    guard let zone = try ZoneRow.load(db, key: entry.zone), let name = entry.name,
      let row = try? RecordRow.load(db, zone: entry.zone, name: name)
    else { return }
    do {
      try transaction.attempt {
        try RejectedEdits.store(row.layers, in: zone, because: error, transaction: transaction)
      }
    } catch let error where error.isOfOneRecord {
      // The record itself still shows what was typed.
    }
  }

  private static func reason(_ error: any Error) -> RecordsError {
    if let error = error as? RecordsError { return error }
    return RecordsError(
      .internalError, "This device could not store the broker's answer.",
      hint: "The edit is kept here. Check this device.", reason: "notStored")
  }
}
