// What a container's connections say of themselves, the same at each welcome.

import Records

/// The parts of a hello that do not change.
struct Greeting: Sendable {
  let container: String
  let account: String?
  /// Tells the broker that the container's connections belong to one program, and a copy's do not.
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
