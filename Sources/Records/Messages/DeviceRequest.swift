/// A request that concerns another device of the sender's account.
package struct DeviceRequest: Hashable, Sendable {
  /// What happens to the device.
  package enum Change: Hashable, Sendable {
    /// It is removed permanently: its connections end, and it can no longer sign in.
    case remove
    /// It gets this name, until its user gives it another one.
    case rename(String)
  }

  /// The device.
  package let device: DeviceID
  /// What happens to it.
  package let change: Change

  package init(_ change: Change, _ device: DeviceID) {
    self.device = device
    self.change = change
  }
}
