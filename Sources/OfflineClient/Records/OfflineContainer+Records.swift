// Transactions, saves, queries and observations of an offline container.

import BrokerClient
import DeviceDriver
import DeviceStore
import RecordQueries
import Records

extension OfflineContainer {
  // MARK: Transactions

  /// Runs `body` in one transaction. Its writes take effect together, are durable when the function returns, and are
  /// one action for `undo(_:)`.
  /// - Returns: The result of `body`.
  /// - Throws: What `body` throws; then nothing changed. `quotaExceeded`, reason `diskFull`, if the disk is full.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @Sendable (inout OfflineTransaction) throws -> Result
  ) async throws -> Result {
    try checkIsOpen()
    do {
      return try await edit(body)
    } catch let error as StoreError {
      throw RecordsError(anyError: error)
    } catch let error as RecordsError {
      throw RecordsError(anyError: error)
    }
  }

  private func edit<Result: Sendable>(
    _ body: @Sendable (inout OfflineTransaction) throws -> Result
  ) async throws -> Result {
    let files = driver.files
    let (result, assets) = try await driver.edit { replica, now in
      let (result, actions) = try replica.edit(now: now) { edit in
        var transaction = OfflineTransaction(edit, files: files, now: now)
        let result = try body(&transaction)
        edit = transaction.finished
        return (result, transaction.enteredAssets)
      }
      return (result, actions)
    }
    await release(assets)
    return result
  }

  /// Saves a record. See `OfflineTransaction.save(_:in:policy:)`.
  @discardableResult
  public func save(
    _ record: Record, in scope: DatabaseScope = .private, policy: SavePolicy = .changedKeys
  ) async throws(RecordsError) -> Record {
    try await RecordsError.converting {
      try await write { try $0.save(record, in: scope, policy: policy) }
    }
  }

  /// Deletes a record. See `OfflineTransaction.deleteRecord(withID:in:)`.
  public func deleteRecord(
    withID id: RecordID, in scope: DatabaseScope = .private
  ) async throws(RecordsError) {
    try await RecordsError.converting {
      try await write { try $0.deleteRecord(withID: id, in: scope) }
    }
  }

  // MARK: Reading

  /// Returns a record; `nil` if there is none on this device. CloudKit: `record(for:)`.
  public func record(
    for id: RecordID, in scope: DatabaseScope = .private
  ) throws(RecordsError) -> Record? {
    let stored = try id.stored(in: scope)
    return try reading { try $0.record(stored).map { try Record($0, in: scope) } }
  }

  /// Returns the records that match a query, in its order. CloudKit: `records(matching:)`.
  ///
  /// The function reads this device only and needs no connection. See `docs/predicates.md` for the language.
  /// - Parameters:
  ///   - zone: The zone to search; `nil` for all zones of the database.
  ///   - limit: The maximum number of records, up to 1,000.
  /// - Throws: `invalidArguments`, with the column, if the predicate is invalid; `zoneNotFound`; `limitExceeded`,
  ///   reason `tooSlow`, if the query takes longer than two seconds.
  public func records(
    matching query: Query, inZone zone: ZoneID? = nil, in scope: DatabaseScope = .private,
    limit: Int = 1_000
  ) throws(RecordsError) -> [Record] {
    let form = try query.recordQuery(inZone: zone, scope, limit: limit)
    return try reading { reader in
      try reader.records(matching: form, clock: .limited(now: SystemClock.now())).records.map {
        try Record($0, in: scope)
      }
    }
  }

  /// Returns the result of a query now, and again after each change of it, made on this device or received. CloudKit
  /// has no equivalent; Core Data's is `NSFetchedResultsController`.
  ///
  /// Dates and users of records count too: if the broker confirms an edit, its record has the broker's dates, and the
  /// result is returned again. Changes that arrive faster than the program reads are combined: it always gets the newest
  /// result.
  public func observe(
    _ query: Query, inZone zone: ZoneID? = nil, in scope: DatabaseScope = .private,
    limit: Int = 1_000
  ) throws(RecordsError) -> RecordObservation {
    RecordObservation(
      self, query, form: try query.recordQuery(inZone: zone, scope, limit: limit), zone, scope,
      limit: limit)
  }

  // MARK: Common

  /// Reads the device, and converts the error.
  func reading<Result>(
    _ body: (DeviceReader) throws -> Result
  ) throws(RecordsError) -> Result {
    try checkIsOpen()
    do {
      return try body(driver.reader)
    } catch {
      throw RecordsError(anyError: error)
    }
  }
}
