import Records

/// The parts of the hello message that are the same for all connections of a container.
struct HelloTemplate: Sendable {
  let container: String
  let account: String?
  /// A number drawn once per program start. By it the broker distinguishes a second connection of this
  /// program from a copy of the device's identity in another program.
  let invocation = UInt64.random(in: 1 ... .max)

  func hello(as identity: DeviceIdentity, last: RequestNumber, acknowledged: RequestNumber)
    -> Hello
  {
    Hello(
      version: ProtocolVersion.newest, container: container, accountName: account,
      deviceName: identity.name, device: identity.id.flatMap { DeviceID($0) },
      deviceKey: identity.key, lastNumber: last, acknowledged: acknowledged, directory: .zero,
      zones: [], invocation: invocation)
  }
}
