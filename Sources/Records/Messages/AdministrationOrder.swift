// What an administrator orders of a broker that runs. Only the broker's own user and root may, and
// only on a connection that has not said hello: an order is nobody's device.

/// An order of an administrator.
package enum AdministrationOrder: Hashable, Sendable {
  /// Enter an account; a user of the machine with this uid is it from then on.
  case addAccount(name: String, uid: UInt32?)
  /// Let an account sign in no more, or again.
  case setAccount(name: String, isDisabled: Bool)
  /// Let a device sign in no more. It cannot be undone; the person signs the machine in anew.
  case revokeDevice(DeviceID)
  /// Give a device another key, by its SHA-256; who signs in with the former one is refused.
  case rotateKey(DeviceID, digest: [UInt8])
  /// Enter an application's namespace.
  case addContainer(name: String)
  /// Delete an account with everything it has; its name is free. It cannot be undone.
  case deleteAccount(name: String)
  /// The clock is right, whatever it did: what has grown old may be removed again.
  case confirmClock
}
