/// A connection of a device of the account.
package struct DeviceConnection: Hashable, Sendable {
  /// The device.
  package let device: DeviceID
  /// Where it comes from: an IPv4 address, or the first 64 bits of an IPv6 address. Empty for the broker's machine,
  /// which includes devices that use ssh.
  package let network: String

  package init(_ device: DeviceID, network: String) {
    self.device = device
    self.network = network
  }
}
