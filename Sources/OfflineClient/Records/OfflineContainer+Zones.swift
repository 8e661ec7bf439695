import BrokerClient
import DeviceStore
import Records

extension OfflineContainer {
  /// Returns the zones on this device, the account's own and those that are shared with it. CloudKit:
  /// `allRecordZones()` of both databases.
  public func allZones() throws(RecordsError) -> [Zone] {
    try reading { reader in
      try reader.zones().map { view in
        Zone(
          stored: view.zone, title: view.title, isWritable: view.isWritable,
          isShared: view.isShared)
      }.sorted { $0.id.description < $1.id.description }
    }
  }

  /// Creates a zone, or changes the title of an existing one. CloudKit: `save(_:)` of a `CKRecordZone`.
  /// - Throws: `zoneNotFound`, reason `zoneDeleted`: the id of a deleted zone cannot be used again. See
  ///   `OfflineTransaction.save(_:)`.
  @discardableResult
  public func save(_ zone: Zone) async throws(RecordsError) -> Zone {
    try await RecordsError.converting { try await write { try $0.save(zone) } }
    return zone
  }

  /// Deletes a zone and all its records. CloudKit: `deleteRecordZone(withID:)`, which deletes it whatever it contains.
  ///
  /// The server rejects the deletion if another device has changed the zone since this one read it. The zone then
  /// appears again, and the deletion is a rejected edit.
  /// - Throws: `zoneNotFound`; `permissionFailure` if another account owns the zone; `invalidArguments` for the
  ///   standard zone.
  public func deleteZone(withID id: ZoneID) async throws(RecordsError) {
    try await RecordsError.converting { try await write { try $0.deleteZone(withID: id) } }
  }

  /// Returns the account's deleted zones that can be restored, the latest deletion first. CloudKit has no counterpart.
  public func deletedZones() throws(RecordsError) -> [DeletedZone] {
    try reading { reader in
      try reader.deletedGroups().map { group in
        DeletedZone(id: ZoneID(group.zone), title: group.title, deletion: group.deletion)
      }
    }
  }

  /// Restores a deleted zone with all its records. See `OfflineTransaction.restoreZone(withID:)`.
  public func restoreZone(withID id: ZoneID) async throws(RecordsError) {
    try await RecordsError.converting { try await write { try $0.restoreZone(withID: id) } }
  }
}
