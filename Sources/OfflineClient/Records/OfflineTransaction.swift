// The writes of a program. Each call is one action of the replica's transaction, so that it can fail by itself.

import AssetFiles
import BrokerClient
import DeviceDriver
import DeviceStore
import Foundation
import Predicates
import RecordQueries
import Records
import SyncCore

/// A transaction of an offline container: reads and writes that take effect together, or not at all.
///
/// Reads see the writes before them. If a function throws and the program continues, that call changed nothing.
public struct OfflineTransaction {
  private var edit: EditTransaction
  private let files: DeviceFiles
  private let now: Timestamp
  /// The files that the transaction has entered.
  private(set) var enteredAssets: Set<AssetDigest> = []

  init(_ edit: EditTransaction, files: DeviceFiles, now: Timestamp) {
    self.edit = edit
    self.files = files
    self.now = now
  }

  // MARK: Records

  /// Returns a record; `nil` if there is none. CloudKit: `record(for:)`.
  public func record(
    for id: RecordID, in scope: DatabaseScope = .private
  ) throws(RecordsError) -> Record? {
    try Self.converting {
      try edit.record(try id.stored(in: scope)).map { try Record($0, in: scope) }
    }
  }

  /// Returns the records that match a query, in its order. CloudKit: `records(matching:)`.
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
    return try Self.converting {
      try edit.transaction.records(matching: form, clock: .limited(now: now)).records.map {
        try Record($0, in: scope)
      }
    }
  }

  /// Saves a record: its changed fields are merged into the record as it is here. CloudKit: `save(_:)`.
  ///
  /// Assets of the record were added to this container before (`addAsset(_:)`), or are here with another record.
  /// - Parameter policy: How to treat a record that has changed since it was read. `changedKeys` merges by fields.
  /// - Returns: The record as it is stored.
  /// - Throws: `serverRecordChanged`, with the present record, if the policy is `ifServerRecordUnchanged` and the
  ///   record has changed; `unknownItem` if a record that was read has been deleted since, unless the policy is
  ///   `allKeys`; `zoneNotFound`; `permissionFailure` in a zone that may only be read; `assetNotAvailable`;
  ///   `limitExceeded`; `invalidArguments`, also for a type that `OfflineConfiguration.publicTypes` lacks.
  @discardableResult
  public mutating func save(
    _ record: Record, in scope: DatabaseScope = .private, policy: SavePolicy = .changedKeys
  ) throws(RecordsError) -> Record {
    let id = try record.id.stored(in: scope)
    try check(record, in: scope)
    let changes = try changes(of: record, id, policy)
    let save = LocalEdit.RecordSave(
      id: id, type: try record.storedType(), changes: changes,
      expectation: record.expectation(under: policy))
    let assets = changes.set.assets.filter { files.disk.holds($0) }
    do {
      try edit.apply(assets.map { .keepAsset($0) } + [.save(save)])
    } catch let error as RecordsError where error.code == .serverRecordChanged {
      throw error.with(serverRecord: try self.record(for: record.id, in: scope))
    } catch {
      throw RecordsError(anyError: error)
    }
    enteredAssets.formUnion(assets.map(\.id))
    guard let saved = try self.record(for: record.id, in: scope) else { return record }
    return saved
  }

  /// The device has only the public records of the configured types.
  private func check(_ record: Record, in scope: DatabaseScope) throws(RecordsError) {
    guard scope == .public else { return }
    let type = try record.storedType()
    guard !edit.transaction.rules.publicTypes.contains(type) else { return }
    throw RecordsError(
      .invalidArguments, "The container does not have the public records of type \(type).",
      hint: "Add the type to `publicTypes` of its configuration.")
  }

  private func changes(
    of record: Record, _ id: Records.RecordID, _ policy: SavePolicy
  ) throws(RecordsError) -> FieldChanges {
    guard policy == .allKeys else { return try record.changes() }
    let present = try Self.converting { try edit.record(id)?.fields ?? Fields() }
    var fields = try record.allFields()
    fields[MoveTrail.field] = present[MoveTrail.field]
    return FieldChanges.difference(from: present, to: fields)
  }

  /// Deletes a record. CloudKit: `deleteRecord(withID:)`.
  ///
  /// Records that refer to it with `deleteSelf` are deleted by the broker. They stay on this device until it has
  /// received that, and `undo(_:)` does not restore them. If another device changed this record meanwhile, the
  /// deletion becomes a conflict, and they stay. A program that deletes them in the same transaction decides
  /// otherwise: they are deleted at once and in any case. Deleting a record that is not here succeeds.
  public mutating func deleteRecord(
    withID id: RecordID, in scope: DatabaseScope = .private
  ) throws(RecordsError) {
    let stored = try id.stored(in: scope)
    guard try record(for: id, in: scope) != nil else { return }
    try apply([.delete(stored, version: nil)])
  }

  /// Moves a record to another zone, in one step for all readers: it is created there and deleted here. CloudKit
  /// has no equivalent.
  /// - Returns: The record in its new zone.
  /// - Throws: `unknownItem` if the record is not here; `serverRecordChanged` if the new zone has a record of this
  ///   name; `zoneNotFound`; `permissionFailure`; `assetNotAvailable`.
  @discardableResult
  public mutating func move(
    _ id: RecordID, to zone: ZoneID
  ) throws(RecordsError) -> Record {
    let source = try id.stored(in: .private)
    let target = RecordID(recordName: id.recordName, zoneID: zone)
    guard let view = try Self.converting({ try edit.record(source) }) else {
      throw RecordsError(.unknownItem, "There is no record “\(id)” here.")
    }
    let save = LocalEdit.RecordSave(
      id: try target.stored(in: .private), type: view.type,
      changes: FieldChanges(set: view.fields), expectation: .absent)
    try apply([.save(save), .delete(source, version: nil)])
    guard let moved = try record(for: target) else {
      throw RecordsError(.internalError, "A moved record is missing.")
    }
    return moved
  }

  // MARK: Zones

  /// Creates a zone, or changes the title of an existing one. CloudKit: `save(_:)` of a `CKRecordZone`.
  ///
  /// The broker never uses the id of a deleted zone again, so that edits of the deleted zone cannot get into another
  /// one. A zone that was deleted before it was sent can be saved again.
  /// - Throws: `zoneNotFound`, reason `zoneDeleted`, if the zone was deleted here and the broker has not confirmed that
  ///   yet. Later the broker rejects the save, and `OfflineContainer.rejectedEdits()` lists it.
  public mutating func save(_ zone: Zone) throws(RecordsError) {
    let id = zone.id.stored
    let db = edit.transaction.db
    let (isStored, isShown) = try Self.converting {
      let isShown = try DeviceReader.zoneIDs(db).contains { $0.zone == id }
      return (try DeviceReader.row(of: id, db) != nil, isShown)
    }
    guard isShown || !isStored else { throw .deleted(zone) }
    try apply([
      isStored ? .renameZone(id, title: zone.title) : .createZone(id, title: zone.title)
    ])
  }

  /// Deletes a zone and all its records. CloudKit: `deleteRecordZone(withID:)`, which deletes it whatever it contains.
  ///
  /// The server rejects the deletion if another device has changed the zone since this one read it. The zone then
  /// appears again, and the deletion is a rejected edit.
  /// - Throws: `zoneNotFound`; `permissionFailure` if another account owns the zone; `invalidArguments` for the
  ///   standard zone.
  public mutating func deleteZone(withID id: ZoneID) throws(RecordsError) {
    try apply([.deleteZone(id.stored)])
  }

  /// Restores a deleted zone with all its records, for 30 days after its deletion. CloudKit has no counterpart.
  ///
  /// The zone appears with its records once the server has restored it. It is not shared any more.
  /// - Throws: `unknownItem` if the zone is not among `OfflineContainer.deletedZones()`.
  public mutating func restoreZone(withID id: ZoneID) throws(RecordsError) {
    try apply([.restoreZone(id.stored)])
  }

  // MARK: Common

  /// The number under which the writes can be undone; `nil` if nothing has changed.
  var action: Int64? { edit.action }

  /// The replica's transaction, once the program's part is over.
  var finished: EditTransaction { edit }

  private mutating func apply(_ edits: [LocalEdit]) throws(RecordsError) {
    do {
      try edit.apply(edits)
    } catch {
      throw RecordsError(anyError: error)
    }
  }

  private static func converting<Result>(
    _ body: () throws -> Result
  ) throws(RecordsError) -> Result {
    do {
      return try body()
    } catch {
      throw RecordsError(anyError: error)
    }
  }
}

extension RecordsError {
  /// The error for a zone whose id is that of a deleted one.
  fileprivate static func deleted(_ zone: Zone) -> RecordsError {
    RecordsError(
      .zoneNotFound,
      "The zone “\(zone.title)” was deleted, and the id of a deleted zone cannot be used again.",
      hint: "Save a zone with a new id: `Zone(title:)` has one.", reason: "zoneDeleted")
  }
}

extension QueryClock {
  /// The clock of one page, which ends after the broker's limit.
  static func limited(now: Timestamp) -> QueryClock {
    let end = ContinuousClock.now.advanced(by: .seconds(QueryLimits.seconds))
    return QueryClock(now: now) { ContinuousClock.now > end }
  }
}
