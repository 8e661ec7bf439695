// One of an account's databases: what can be done to its records. Zones, subscriptions, queries and
// changes stand in files of their own.

import Records

/// Which of an account's databases. CloudKit: `CKDatabase.Scope`.
public enum DatabaseScope: String, Hashable, Sendable, CaseIterable {
  /// The account's own.
  case `private`
  /// What others share with it.
  case shared
  /// The container's, open to all: what may be done with a record there is its type's matter.
  case `public`

  init(_ stored: Records.DatabaseScope) {
    self =
      switch stored {
      case .private: .private
      case .shared: .shared
      case .public: .public
      }
  }

  var stored: Records.DatabaseScope {
    switch self {
    case .private: .private
    case .shared: .shared
    case .public: .public
    }
  }
}

/// When a save is refused, and what becomes of fields it does not send. CloudKit:
/// `CKModifyRecordsOperation.RecordSavePolicy`.
public enum SavePolicy: Hashable, Sendable, CaseIterable {
  /// Refused with `serverRecordChanged` where the broker's record is not the one that was edited;
  /// sends changed fields, others stay. The default.
  case ifServerRecordUnchanged
  /// Never refused for its tag; sends changed fields, others stay.
  case changedKeys
  /// Never refused for its tag; sends all fields, others go.
  case allKeys

  var stored: Records.SavePolicy {
    switch self {
    case .ifServerRecordUnchanged: .ifUnchanged
    case .changedKeys: .changedKeys
    case .allKeys: .allKeys
    }
  }
}

/// A database of the account. CloudKit: `CKDatabase`.
///
/// Every function waits for the broker, over lost connections, for as long as the container's
/// `patience`; then it throws `networkUnavailable`, or `serverResponseLost` where it may have been
/// done. A write is on the broker's disk when its function returns, and is carried out once however
/// often it had to be sent. A cancelled task gets `operationCancelled` at once.
public struct Database: Sendable {
  /// Which of the account's databases it is. CloudKit: `databaseScope`.
  public let scope: DatabaseScope
  let session: Session
  let streams: @Sendable (Following) -> StreamSource

  // MARK: Fetching

  /// One record by its id. CloudKit: `record(for:)`.
  /// - Throws: `unknownItem` where there is none.
  public func record(for id: RecordID) async throws(RecordError) -> Record {
    guard let result = try await records(for: [id])[id] else { throw Self.unknown(id) }
    return try result.get()
  }

  /// Records by their ids, each with its own result. CloudKit: `records(for:)`. One question for
  /// each 400, and two more for each record that is damaged on the broker's disk.
  /// - Throws: where nothing could be asked; a record that is missing is an `unknownItem` of its own, one
  ///   that is damaged an `internalError`.
  public func records(
    for ids: [RecordID]
  ) async throws(RecordError) -> [RecordID: Result<Record, RecordError>] {
    var results: [RecordID: Result<Record, RecordError>] = [:]
    for start in stride(from: 0, to: ids.count, by: Limits.idsPerFetch) {
      let asked = Array(ids[start..<min(start + Limits.idsPerFetch, ids.count)])
      try await fetch(asked, into: &results)
    }
    return results
  }

  /// Asks for records at once, and without those that are damaged where the broker refuses for one: it
  /// names that, and says nothing of the others.
  private func fetch(
    _ ids: [RecordID], into results: inout [RecordID: Result<Record, RecordError>]
  ) async throws(RecordError) {
    var waiting = [ids]
    while let asked = waiting.popLast() {
      do throws(RecordError) {
        let changes = try await changes(of: asked)
        for (id, change) in zip(asked, changes) { results[id] = Self.result(of: change, for: id) }
      } catch {
        guard error.reason == "damaged" else { throw error }
        guard asked.count > 1 else {
          for id in asked { results[id] = .failure(error) }
          continue
        }
        // Zones may have records of one name, of which only one is damaged.
        let named = asked.filter { $0.recordName == error.recordName }
        guard !named.isEmpty else { throw error }
        let others = asked.filter { $0.recordName != error.recordName }
        waiting += named.map { [$0] } + (others.isEmpty ? [] : [others])
      }
    }
  }

  private func changes(of ids: [RecordID]) async throws(RecordError) -> [Change?] {
    var stored: [Records.RecordID] = []
    for id in ids {
      stored.append(Records.RecordID(zone: try place(of: id.zoneID), name: try id.storedName()))
    }
    guard case .fetched(let changes) = try await session.ask(.fetch(stored)) else {
      throw Self.strange
    }
    return changes
  }

  private static func result(
    of change: Change?, for id: RecordID
  ) -> Result<Record, RecordError> {
    guard let change, change.kind == .saved else { return .failure(unknown(id)) }
    return Result { () throws(RecordError) in try Record(change, zone: id.zoneID) }
  }

  // MARK: Saving and deleting

  /// Saves a record. CloudKit: `save(_:)`.
  /// - Returns: the record with its new tag.
  /// - Throws: `serverRecordChanged`, with the broker's record, where that is not the one that was
  ///   edited; `referenceViolation` where it goes with a record that is not there (`deleteSelf`);
  ///   `zoneNotFound`, `permissionFailure`, `invalidArguments`, `limitExceeded`.
  @discardableResult
  public func save(
    _ record: Record, policy: SavePolicy = .ifServerRecordUnchanged
  ) async throws(RecordError) -> Record {
    let results = try await modify(saving: [record], policy: policy)
    guard let result = results.saved[record.id] else { throw Self.strange }
    return try result.get()
  }

  /// Deletes a record, and what refers to it by `deleteSelf`. Deleting what is not there succeeds.
  /// CloudKit: `deleteRecord(withID:)`.
  /// - Returns: what went along.
  @discardableResult
  public func deleteRecord(withID id: RecordID) async throws(RecordError) -> Cascade {
    let results = try await modify(deleting: [id])
    guard let result = results.deleted[id] else { throw Self.strange }
    return try result.get()
  }

  /// Deletes a record if it is still in the state it was fetched in; CloudKit has no such thing.
  /// - Returns: what went along.
  /// - Throws: `serverRecordChanged` where it is not.
  @discardableResult
  public func delete(ifUnchanged record: Record) async throws(RecordError) -> Cascade {
    let zone = try place(of: record.id.zoneID)
    let operation = Operation.delete(
      Operation.Delete(
        name: try record.id.storedName(), tag: record.recordChangeTag.map { Revision($0) }))
    let groups = [OperationGroup(zone: zone, operations: [operation])]
    let outcome = try await session.modify(groups)
    guard let result = outcome.groups.first?.first else { throw Self.strange }
    if let error = Self.failure(result, zone: record.id.zoneID) { throw error }
    guard case .deleted(_, let cascaded) = result else { throw Self.strange }
    return Cascade(cascaded, zone: record.id.zoneID, number: outcome.number)
  }

  /// Saves and deletes records. CloudKit: `modifyRecords(saving:deleting:savePolicy:atomically:)`.
  ///
  /// Atomically, what concerns one zone is done as a whole or not at all, and fits one request: 400
  /// operations and 2 MiB. Otherwise each stands alone, and there may be any number.
  /// - Returns: what came of each.
  /// - Throws: where nothing was done: `invalidArguments`, `limitExceeded`, `networkUnavailable`;
  ///   without `atomically`, a failure between two requests leaves the earlier ones done.
  public func modify(
    saving records: [Record] = [], deleting ids: [RecordID] = [],
    policy: SavePolicy = .ifServerRecordUnchanged, atomically: Bool = false
  ) async throws(RecordError) -> ModifyResults {
    var plan = ModifyPacking(isAtomic: atomically)
    for record in records {
      let zone = try place(of: record.id.zoneID)
      plan.add(.save(record), try record.saving(under: policy), to: zone)
    }
    for id in ids {
      let zone = try place(of: id.zoneID)
      let operation = Operation.delete(
        Operation.Delete(name: try id.storedName(), tag: nil, isForced: true))
      plan.add(.delete(id), operation, to: zone)
    }
    var results = ModifyResults()
    for request in try plan.requests() { try await send(request[...], noting: &results) }
    return results
  }

  /// Sends groups in one request, or in halves where the records that they change are too large together.
  private func send(
    _ request: ArraySlice<ModifyPacking.Packed>, noting results: inout ModifyResults
  ) async throws(RecordError) {
    do throws(RecordError) {
      let outcome = try await session.modify(request.map(\.group))
      guard outcome.groups.count == request.count else { throw Self.strange }
      for (packed, answers) in zip(request, outcome.groups) {
        for (item, answer) in zip(packed.items, answers) {
          results.enter(answer, of: item, number: outcome.number)
        }
      }
    } catch {
      guard error.reason == "storedBytes", request.count > 1 else { throw error }
      let middle = request.startIndex + request.count / 2
      try await send(request[..<middle], noting: &results)
      try await send(request[middle...], noting: &results)
    }
  }

  // MARK: Common

  /// A zone of this database as the broker knows it.
  /// - Throws: `invalidArguments` for one that is in another.
  func place(of zone: ZoneID) throws(RecordError) -> Records.ZoneID {
    switch scope {
    case .private:
      guard zone.isOwn else {
        throw RecordError(
          .invalidArguments, "Zone \(zone) belongs to another account.",
          hint: "It is in the shared database.")
      }
    case .shared:
      guard !zone.isOwn else {
        throw RecordError(
          .invalidArguments, "Zone \(zone) is the account's own.",
          hint: "It is in the private database.")
      }
    case .public:
      guard zone == .standard else {
        throw RecordError(
          .invalidArguments, "Zone \(zone) is not in the public database, which has one zone only.",
          hint: "Leave the zone out.")
      }
      return .public
    }
    return zone.stored
  }

  static func failure(_ result: OperationResult, zone: ZoneID) -> RecordError? {
    guard case .failed(let error, let change) = result else { return nil }
    let record = change.flatMap { change in
      change.kind == .saved ? try? Record(change, zone: zone) : nil
    }
    return RecordError(error, serverRecord: record)
  }

  private static func unknown(_ id: RecordID) -> RecordError {
    RecordError(
      RecordsError(
        .unknownItem, "There is no record “\(id)”.", record: RecordName(stored: id.recordName)))
  }

  static let strange = RecordError(
    .internalError, "The broker sent an unexpected answer.")
}
