import Records
import Synchronization

/// The device's identity, shared by all connections of a container.
final class SharedIdentity: Sendable {
  private let identity: Mutex<DeviceIdentity>
  /// Held while the callback runs, so that the program saves identities in the order of their changes.
  private let order = Mutex<Void>(())
  private let changed: @Sendable (DeviceIdentity) -> Void

  init(_ identity: DeviceIdentity, changed: @escaping @Sendable (DeviceIdentity) -> Void) {
    self.identity = Mutex(identity)
    self.changed = changed
  }

  var current: DeviceIdentity { identity.withLock { $0 } }

  /// Applies `change` and calls the program's callback if the identity is different afterwards.
  func update(_ change: (inout DeviceIdentity) -> Void) {
    order.withLock { _ in
      let (before, after) = identity.withLock { identity in
        let before = identity
        change(&identity)
        return (before, identity)
      }
      if before != after { changed(after) }
    }
  }
}
