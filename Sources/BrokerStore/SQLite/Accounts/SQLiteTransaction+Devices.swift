import BrokerCore
import GRDB
import Records
import SQLiteFile

extension SQLiteTransaction {
  func perform(
    _ request: DeviceRequest, of identity: SessionIdentity
  ) throws -> DeviceChange {
    // A device of another account is as unknown as one that does not exist.
    guard let device = try devices.device(request.device),
      device.account.key == identity.accountKey
    else {
      throw RecordsError(
        .unknownItem, "The account has no device \(request.device).",
        hint: "See: contactsctl devices")
    }
    switch request.change {
    case .remove:
      guard device.key != identity.deviceKey else {
        throw RecordsError.invalid("A device cannot remove itself. Sign out: contactsctl signout")
      }
      guard !device.isRevoked else { return DeviceChange(CommitEffects()) }
      return DeviceChange(try remove(device), expelled: .removed(device.key))
    case .rename(let name):
      guard !device.isRevoked else {
        throw RecordsError(.constraintViolation, "Device \(request.device) was removed.")
      }
      try devices.rename(device, to: name)
      return DeviceChange(
        CommitEffects(directories: try DirectoryDevices(db: db).noteChange(of: device)))
    }
  }

  /// Removes a device permanently, with the invitations that it made. Returns the changes of directories.
  func remove(_ device: StoredDevice) throws -> CommitEffects {
    try db.run("UPDATE device SET is_revoked = 1 WHERE key = ?", [device.key])
    try invitations.delete(madeBy: device.key)
    memory.invalidateDevices()
    memory.transaction.removedDevices.insert(try devices.identity(of: device).0)
    return CommitEffects(directories: try DirectoryDevices(db: db).noteChange(of: device))
  }
}

extension SQLiteRecordStore {
  /// Removes the devices that were removed after the backup from which the database was restored, and adds those
  /// that the database alone knows to the file.
  func removeListedDevices(path: String) throws(StoreError) {
    guard let file = RemovedDevices(besideDatabase: path) else { return }
    let listed = try file.ids()
    do {
      let known = try transact { transaction -> Set<DeviceID> in
        guard let transaction = transaction as? SQLiteTransaction else { return [] }
        for id in listed {
          guard let device = try transaction.devices.device(id), !device.isRevoked else { continue }
          _ = try transaction.remove(device)
        }
        // They are in the file, or get there below.
        transaction.memory.transaction.removedDevices = []
        return try transaction.devices.removed()
      }
      listedRemovals.set(listed)
      // An interrupted line goes, so that the next one does not continue it. The file exists from the start, so that
      // who restores a backup finds it.
      if !known.isSubset(of: listed) || file.isIncomplete() {
        try file.replace(with: listed.union(known))
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
