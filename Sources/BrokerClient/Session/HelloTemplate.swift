import Records

/// The parts of the hello message that are the same for all connections of a container.
struct HelloTemplate: Sendable {
  let container: String
  let account: String?
  /// A random number for this container. It is the same on all its connections, so that the broker can detect
  /// another program that uses a copy of the device's identity.
  let invocation = UInt64.random(in: 1 ... .max)

  func hello(as identity: DeviceIdentity, last: RequestNumber, acknowledged: RequestNumber)
    -> Hello
  {
    Hello(
      version: ProtocolVersion.newest, container: container, accountName: account,
      deviceName: identity.name, device: identity.id.flatMap { DeviceID($0) },
      deviceKey: identity.key, lastNumber: last, acknowledged: acknowledged, directory: .zero,
      zones: [], invocation: invocation, formerDevice: identity.formerDevice)
  }
}
