import Records

/// The state of a device between two connections: its identity and its position.
struct KnownDevice {
  let name: String
  let account: String
  var id: DeviceID?
  var directory = Revision.zero
  var token: ChangeToken?
  private let key: [UInt8]

  /// Creates a device that has not connected yet, with a random key.
  init(name: String, account: String) {
    self.name = name
    self.account = account
    var generator = SystemRandomNumberGenerator()
    key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// The hello of the next connection, following the default zone.
  var hello: Hello { hello(follows: true) }

  /// Returns the hello of the next connection, following the default zone or none.
  func hello(follows: Bool) -> Hello {
    hello(following: follows ? [ZonePosition(zone: .standard, token: token)] : [])
  }

  /// Returns the hello of the next connection, following `zones`.
  func hello(following zones: [ZonePosition]) -> Hello {
    Hello(
      version: 1, container: "contacts", accountName: account, deviceName: name, device: id,
      deviceKey: key, lastNumber: .zero, acknowledged: .zero, directory: directory,
      zones: zones)
  }
}
