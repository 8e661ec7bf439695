import BrokerCore
import Records
import SQLiteFile

extension SQLiteRecordStore {
  /// Removes the devices that were removed after the backup from which the database was restored, and adds those
  /// that the database alone knows to the file.
  func removeListedDevices(path: String) throws(StoreError) {
    guard let file = RemovedDevices(besideDatabase: path) else { return }
    let listed = try file.ids()
    do {
      let known = try transact { transaction -> Set<DeviceID> in
        guard let transaction = transaction as? SQLTransaction else { return [] }
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
