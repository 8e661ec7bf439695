import BrokerCore
import Predicates
import Records
import SQLConnections

extension SQLTransaction {
  func administer(
    _ request: AdministrativeRequest, identifiers: NewIdentifiers, at now: Timestamp
  ) throws -> AdministrationOutcome {
    try AdministrativeRequestHandler(transaction: self, now: now).perform(
      request, identifiers: identifiers)
  }

  func observeClock(
    _ now: Timestamp, forgettingAfterSeconds seconds: Int64
  ) throws -> (movement: ObservedClock.Movement, watched: ObservedClock) {
    try ClockTable(db: db).update { watched in
      // The bound is computed from the previous reading of the clock. Expiry has run since then and removed
      // the rows that needed the gaps dropped here.
      watched.forget(before: watched.old(afterSeconds: seconds).before)
      return (watched.look(at: now), watched)
    }
  }

  func deleteRecordsOfDeletedAccounts(
    at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) throws -> RemovedRecords {
    try DeletedCreatorTable(transaction: self).step(at: now, using: &generator)
  }

  func expireTombstones(_ old: AgeCutoff, rowsMaximum: Int) throws -> Int {
    defer { memory.invalidateRows() }
    var rows = try records.expireTombstones(old, rowsMaximum: rowsMaximum)
    rows += try records.deleteRowsOfErasedZones(rowsMaximum: rowsMaximum - rows)
    rows += try indexes.deleteRowsOfErasedZones(rowsMaximum: rowsMaximum - rows)
    return rows + (try references.deleteRowsOfErasedZones(rowsMaximum: rowsMaximum - rows))
  }

  func expireDirectoryEntries(_ old: AgeCutoff, rowsMaximum: Int) throws -> Bool {
    defer { memory.invalidateRows() }
    return try DirectoryExpiry(db: db).step(old, rowsMaximum: rowsMaximum)
  }

  func declareIndexes(_ wanted: [DeclaredIndex]) throws {
    try indexes.declare(wanted)
    memory.setIndexes(try indexes.declared())
  }

  func fillIndexes(rowsMaximum: Int) throws -> Bool {
    try indexes.fill(records, rowsMaximum: rowsMaximum)
  }

  func expireHistory(_ old: AgeCutoff, rowsMaximum: Int) throws -> Bool {
    let history = RecordHistoryTable(records: records)
    let forgotten = try zones.forgetDeleted(old, rowsMaximum: rowsMaximum)
    if forgotten > 0 { memory.invalidateRows() }
    let isMoreOld = try history.expire(old, rowsMaximum: rowsMaximum) || forgotten == rowsMaximum
    return try history.eraseEmptiedTrash() || isMoreOld
  }
}
