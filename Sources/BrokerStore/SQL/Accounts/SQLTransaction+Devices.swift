import BrokerCore
import Records
import SQLConnections

extension SQLTransaction {
  func perform(
    _ request: DeviceRequest, of identity: SessionIdentity
  ) throws -> DeviceChange {
    // A device of another account is as unknown as one that does not exist.
    guard let device = try devices.device(request.device),
      device.account.key == identity.accountKey
    else {
      throw RecordsError(
        .unknownItem, "The account has no device \(request.device).",
        reason: "noSuchDevice")
    }
    switch request.change {
    case .remove:
      guard device.key != identity.deviceKey else {
        throw RecordsError(
          .invalidArguments, "A device cannot remove itself.", hint: "Sign out on it instead.",
          reason: "ownDevice")
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
