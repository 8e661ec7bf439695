import Records
import Synchronization

/// The devices that were removed before the database was opened, also those that it does not know because it was
/// restored from an older backup.
final class ListedRemovals: Sendable {
  private let ids = Mutex<Set<DeviceID>>([])

  /// Sets the devices, once the database is open.
  func set(_ removed: Set<DeviceID>) { ids.withLock { $0 = removed } }

  func contains(_ device: DeviceID) -> Bool { ids.withLock { $0.contains(device) } }
}
