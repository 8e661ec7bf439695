// Fetching, saving and deleting the records of a database. Zones and subscriptions, queries, assets, change
// feeds and shares are in extensions in other files.

import Records

/// A database of the account. CloudKit: `CKDatabase`.
///
/// Every function waits for the broker, across lost connections, for up to the container's `patience`. After
/// that it throws `networkUnavailable`, or `serverResponseLost` if the broker may have applied the request.
/// When a function that writes returns, the change is on the broker's disk. The broker applies each write
/// once, even if the library sent it several times. If the calling task is cancelled, the function throws
/// `operationCancelled` immediately; the broker may still apply the write.
public struct Database: Sendable {
  /// The kind of this database. CloudKit: `databaseScope`.
  public let scope: DatabaseScope
  let containerName: String
  let session: any MessageSession
  let streams: @Sendable (StreamCursor) -> StreamSource

  // MARK: Fetching

  /// Fetches a record by its id. CloudKit: `record(for:)`.
  /// - Throws: `unknownItem` if there is no such record.
  public func record(for id: RecordID) async throws(RecordsError) -> Record {
    guard let result = try await records(for: [id])[id] else { throw Self.unknown(id) }
    return try result.get()
  }

  /// Fetches records by their ids, with one result per id. CloudKit: `records(for:)`.
  ///
  /// A missing record's result is `unknownItem`. The result of a record that is damaged on the broker's
  /// disk is `internalError`, with the reason `damaged`. The function sends one message for each 400 ids,
  /// and two more for each damaged record.
  /// - Throws: An error that concerns all ids, such as `networkUnavailable` or `zoneNotFound`.
  public func records(
    for ids: [RecordID]
  ) async throws(RecordsError) -> [RecordID: Result<Record, RecordsError>] {
    var results: [RecordID: Result<Record, RecordsError>] = [:]
    for start in stride(from: 0, to: ids.count, by: Limits.idsPerFetch) {
      let asked = Array(ids[start..<min(start + Limits.idsPerFetch, ids.count)])
      try await fetch(asked, into: &results)
    }
    return results
  }

  /// Fetches records into `results`. If one of them is damaged, the broker's answer names that record and
  /// returns none, so the function fetches the damaged one and the rest separately.
  private func fetch(
    _ ids: [RecordID], into results: inout [RecordID: Result<Record, RecordsError>]
  ) async throws(RecordsError) {
    var waiting = [ids]
    while let asked = waiting.popLast() {
      do throws(RecordsError) {
        let changes = try await changes(of: asked)
        for (id, change) in zip(asked, changes) { results[id] = Self.result(of: change, for: id) }
      } catch {
        guard error.reason == "damaged" else { throw error }
        guard asked.count > 1 else {
          for id in asked { results[id] = .failure(error) }
          continue
        }
        // Records in different zones can have the same name; only one of them may be damaged.
        let named = asked.filter { $0.recordName == error.recordName }
        guard !named.isEmpty else { throw error }
        let others = asked.filter { $0.recordName != error.recordName }
        waiting += named.map { [$0] } + (others.isEmpty ? [] : [others])
      }
    }
  }

  private func changes(of ids: [RecordID]) async throws(RecordsError) -> [Change?] {
    var stored: [Records.RecordID] = []
    for id in ids {
      stored.append(Records.RecordID(zone: try storedZone(id.zoneID), name: try id.storedName()))
    }
    guard case .fetched(let changes) = try await session.ask(.fetch(stored)) else {
      throw Self.unexpectedAnswer
    }
    return changes
  }

  private static func result(
    of change: Change?, for id: RecordID
  ) -> Result<Record, RecordsError> {
    guard let change, change.kind == .saved else { return .failure(unknown(id)) }
    return Result { () throws(RecordsError) in try Record(change, zone: id.zoneID) }
  }

  // MARK: Saving and deleting

  /// Saves a record. CloudKit: `save(_:)`.
  /// - Returns: The record with its new change tag.
  /// - Throws: `serverRecordChanged`, with the broker's record, if the record was changed since it was
  ///   fetched; `referenceViolation` if a `deleteSelf` reference names a record that does not exist;
  ///   `zoneNotFound`, `permissionFailure`, `invalidArguments`, `limitExceeded`.
  @discardableResult
  public func save(
    _ record: Record, policy: SavePolicy = .ifServerRecordUnchanged
  ) async throws(RecordsError) -> Record {
    let results = try await modify(saving: [record], policy: policy)
    guard let result = results.saved[record.id] else { throw Self.unexpectedAnswer }
    return try result.get()
  }

  /// Deletes a record and the records that refer to it with `deleteSelf`, regardless of their change tags.
  /// CloudKit: `deleteRecord(withID:)`.
  ///
  /// Deleting a record that does not exist succeeds.
  /// - Returns: The further records that were deleted.
  @discardableResult
  public func deleteRecord(withID id: RecordID) async throws(RecordsError) -> CascadingDeletion {
    let results = try await modify(deleting: [id])
    guard let result = results.deleted[id] else { throw Self.unexpectedAnswer }
    return try result.get()
  }

  /// Deletes a record if it has not changed since it was fetched. CloudKit has no equivalent.
  /// - Returns: The further records that were deleted.
  /// - Throws: `serverRecordChanged`, with the broker's record, if the record has changed.
  @discardableResult
  public func delete(ifUnchanged record: Record) async throws(RecordsError) -> CascadingDeletion {
    let zone = try storedZone(record.id.zoneID)
    let operation = Operation.delete(
      Operation.Delete(
        name: try record.id.storedName(), tag: record.recordChangeTag.map { Revision($0) }))
    let groups = [OperationGroup(zone: zone, operations: [operation])]
    let outcome = try await session.modify(groups)
    guard let result = outcome.groups.first?.first else { throw Self.unexpectedAnswer }
    if let error = Self.failure(result, zone: record.id.zoneID) { throw error }
    guard case .deleted(_, let cascaded) = result else { throw Self.unexpectedAnswer }
    return CascadingDeletion(cascaded, zone: record.id.zoneID, number: outcome.number)
  }

  /// Saves and deletes records. CloudKit: `modifyRecords(saving:deleting:savePolicy:atomically:)`.
  ///
  /// With `atomically`, the broker applies all operations in one zone or none of them. They must fit into one
  /// request: 400 operations and 2 MiB. Without it, each operation succeeds or fails separately. The function
  /// sends several requests if necessary. Deletions do not check change tags.
  /// - Returns: The result of each operation.
  /// - Throws: `invalidArguments` or `limitExceeded` before the first request is sent. If a request fails,
  ///   for example with `networkUnavailable`, earlier requests of the same call remain applied.
  public func modify(
    saving records: [Record] = [], deleting ids: [RecordID] = [],
    policy: SavePolicy = .ifServerRecordUnchanged, atomically: Bool = false
  ) async throws(RecordsError) -> ModifyResults {
    var plan = RequestPacker(isAtomic: atomically)
    for record in records {
      let zone = try storedZone(record.id.zoneID)
      plan.add(.save(record), try record.saving(under: policy), to: zone)
    }
    for id in ids {
      let zone = try storedZone(id.zoneID)
      let operation = Operation.delete(
        Operation.Delete(name: try id.storedName(), tag: nil, isForced: true))
      plan.add(.delete(id), operation, to: zone)
    }
    var results = ModifyResults()
    for request in try plan.requests() { try await send(request[...], into: &results) }
    return results
  }

  /// Sends groups in one request. If the broker answers that the stored records are too large together,
  /// sends them in two halves.
  private func send(
    _ request: ArraySlice<RequestPacker.Group>, into results: inout ModifyResults
  ) async throws(RecordsError) {
    do throws(RecordsError) {
      let outcome = try await session.modify(request.map(\.group))
      guard outcome.groups.count == request.count else { throw Self.unexpectedAnswer }
      for (packed, answers) in zip(request, outcome.groups) {
        for (item, answer) in zip(packed.items, answers) {
          results.record(answer, of: item, number: outcome.number)
        }
      }
    } catch {
      guard error.reason == "storedBytes", request.count > 1 else { throw error }
      let middle = request.startIndex + request.count / 2
      try await send(request[..<middle], into: &results)
      try await send(request[middle...], into: &results)
    }
  }

  // MARK: Common

  /// Returns the id that the broker uses for a zone of this database.
  /// - Throws: `invalidArguments` if the zone belongs to another database.
  func storedZone(_ zone: ZoneID) throws(RecordsError) -> Records.ZoneID {
    switch scope {
    case .private:
      guard zone.isOwn else {
        throw RecordsError(
          .invalidArguments, "Zone \(zone) belongs to another account.",
          hint: "It is in the shared database.")
      }
    case .shared:
      guard !zone.isOwn else {
        throw RecordsError(
          .invalidArguments, "Zone \(zone) is the account's own.",
          hint: "It is in the private database.")
      }
    case .public:
      guard zone == .standard else {
        throw RecordsError(
          .invalidArguments, "Zone \(zone) is not in the public database, which has one zone only.",
          hint: "Leave the zone out.")
      }
      return .public
    }
    return zone.stored
  }

  static func failure(_ result: OperationResult, zone: ZoneID) -> RecordsError? {
    guard case .failed(let error, let change) = result else { return nil }
    let record = change.flatMap { change in
      change.kind == .saved ? try? Record(change, zone: zone) : nil
    }
    return error.with(serverRecord: record)
  }

  private static func unknown(_ id: RecordID) -> RecordsError {
    RecordsError(
      .unknownItem, "There is no record “\(id)”.", record: RecordName(stored: id.recordName))
  }

  static let unexpectedAnswer = RecordsError(
    .internalError, "The broker sent an unexpected answer.")
}
