import AgentAPI

extension DevicesView.Device {
  /// Whether the device is connected, and how.
  var connection: String {
    guard connected == true else { return "" }
    return network.map { "over TLS from \($0)" } ?? "on the server or over ssh"
  }
}

extension DevicesView {
  /// Returns the devices that a user means by a name, or by the beginning of an id. Case matters only if it tells two
  /// devices apart.
  func devices(named text: String) -> [Device] {
    let lower = text.lowercased()
    let exact = devices.filter { $0.name == text || !text.isEmpty && $0.id.hasPrefix(lower) }
    return exact.isEmpty ? devices.filter { $0.name.lowercased() == lower } : exact
  }

  /// Returns the shortest beginning of a device's id that no other device's id has.
  func shortID(of device: Device) -> String {
    ShortIDs(devices.map(\.id))[device.id]
  }
}
