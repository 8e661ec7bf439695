// The device's identity, shared by a container's connections, and told to the program when it changes.

import Records
import Synchronization

/// Holds the identity.
final class IdentityKeeper: Sendable {
  private let identity: Mutex<DeviceIdentity>
  private let changed: @Sendable (DeviceIdentity) -> Void

  init(_ identity: DeviceIdentity, changed: @escaping @Sendable (DeviceIdentity) -> Void) {
    self.identity = Mutex(identity)
    self.changed = changed
  }

  var current: DeviceIdentity { identity.withLock { $0 } }

  func update(_ change: (inout DeviceIdentity) -> Void) {
    let (before, after) = identity.withLock { identity in
      let before = identity
      change(&identity)
      return (before, identity)
    }
    if before != after { changed(after) }
  }
}
