import AgentAPI

extension DevicesView.Device {
  /// Whether the device is connected, and how.
  var connection: String {
    guard connected == true else { return "" }
    return network.map { "over TLS from \($0)" } ?? "on the server or over ssh"
  }
}

extension DevicesView {
  /// The length that a beginning of an id has at least, so that it is still unique when further devices join.
  private static let shortIDLength = 6

  /// Returns the shortest beginning of a device's id that no other device's id has, at least six characters.
  func shortID(of device: Device) -> String {
    let others = devices.map(\.id).filter { $0 != device.id }
    let length = (Self.shortIDLength..<device.id.count).first { length in
      !others.contains { $0.hasPrefix(device.id.prefix(length)) }
    }
    return String(device.id.prefix(length ?? device.id.count))
  }
}
