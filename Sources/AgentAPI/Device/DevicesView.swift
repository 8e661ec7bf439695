import Records

/// The account's devices.
package struct DevicesView: Codable, Hashable, Sendable {
  package var schema = 1
  package var devices: [Device]

  package init(devices: [Device]) {
    self.devices = devices
  }

  /// One of the account's devices.
  package struct Device: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    /// When the device connected to the broker last, to the day.
    package var lastConnected: Timestamp
    package var thisDevice: Bool
    /// Whether the device is connected; `nil` without the broker.
    package var connected: Bool?
    /// The network of a device on another machine.
    package var network: String?

    package init(
      id: String, name: String, lastConnected: Timestamp, thisDevice: Bool, connected: Bool?,
      network: String?
    ) {
      self.id = id
      self.name = name
      self.lastConnected = lastConnected
      self.thisDevice = thisDevice
      self.connected = connected
      self.network = network
    }
  }
}

extension AgentPath {
  /// The account's devices.
  package static let devices = AgentPath("devices")

  /// One of the account's devices.
  package static func device(_ id: String = anyID) -> AgentPath { AgentPath("devices", id) }
}
