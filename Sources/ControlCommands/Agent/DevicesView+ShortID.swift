import AgentAPI

extension DevicesView.Device {
  /// Whether the device is connected, and how.
  var connection: String {
    guard connected == true else { return "" }
    return network.map { "over TLS from \($0)" } ?? "on the server or over ssh"
  }
}

extension DevicesView {
  /// Returns the shortest beginning of a device's id that no other device's id has.
  func shortID(of device: Device) -> String {
    ShortIDs(devices.map(\.id))[device.id]
  }
}
