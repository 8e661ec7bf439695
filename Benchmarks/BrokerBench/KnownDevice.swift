// What a device keeps between two connections.

import Records

/// A device's identity and how far it has read.
struct KnownDevice {
  let name: String
  let account: String
  var id: DeviceID?
  var directory = Revision.zero
  var token: ChangeToken?
  private let key: [UInt8]

  /// A device that has not connected yet.
  init(name: String, account: String) {
    self.name = name
    self.account = account
    var generator = SystemRandomNumberGenerator()
    key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// What it greets with, following the standard zone.
  var hello: Hello { hello(follows: true) }

  /// What it greets with.
  func hello(follows: Bool) -> Hello {
    hello(following: follows ? [ZonePosition(zone: .standard, token: token)] : [])
  }

  /// What it greets with, following some zones.
  func hello(following zones: [ZonePosition]) -> Hello {
    Hello(
      version: 1, container: "contacts", accountName: account, deviceName: name, device: id,
      deviceKey: key, lastNumber: .zero, acknowledged: .zero, directory: directory,
      zones: zones)
  }
}
